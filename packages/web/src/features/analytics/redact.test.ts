import { expect, test } from "vitest";
import { redactProperties, redactUrl } from "./redact.ts";

test.each([
  ["/models?search=llama&page=2#top", "/models?search=llama&page=2#top"],
  ["/account/verify-email?token=abc", "/account/verify-email?token=hidden"],
  ["/register?invitation=one_abc", "/register?invitation=hidden"],
  [
    "https://x.example/auth/github/callback?code=1&state=2",
    "https://x.example/auth/github/callback?code=hidden&state=hidden",
  ],
  ["/register?setup=s&utm_source=x#a", "/register?setup=hidden&utm_source=x#a"],
  [
    "/subscription/complete?setup_intent_client_secret=a&setup_intent=b",
    "/subscription/complete?setup_intent_client_secret=hidden&setup_intent=b",
  ],
  ["/login?returnTo=%2Freset%3Ftoken%3Dx", "/login?returnTo=hidden"],
  ["/x?%74oken=abc", "/x?%74oken=hidden"],
  ["/x?%", "/x?%"],
  ["/invitations/inv_secret", "/invitations/hidden"],
  ["https://x.example/invitations/inv_secret?a=1#b", "https://x.example/invitations/hidden?a=1#b"],
  ["/Invitations/inv_secret?token=x", "/Invitations/hidden?token=hidden"],
  ["/shared-chats/yr3Xq0cB7Kq1", "/shared-chats/hidden"],
  ["/admin/invitations", "/admin/invitations"],
  ["What is a token? token=1", "What is a token? token=1"],
])("redacts %s to %s", (text, redacted) => {
  expect(redactUrl(text)).toBe(redacted);
});

test("redacts URLs at any depth", () => {
  const date = new Date(0);
  expect(
    redactProperties({
      $current_url: "https://x/?token=1",
      $set_once: { $initial_url: "/?code=2" },
      list: ["/?key=3"],
      n: 1,
      date,
    }),
  ).toEqual({
    $current_url: "https://x/?token=hidden",
    $set_once: { $initial_url: "/?code=hidden" },
    list: ["/?key=hidden"],
    n: 1,
    date,
  });
});
