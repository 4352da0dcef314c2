import { http, refuse } from "@feather/sdk/msw";
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "#/testing/page.tsx";
import SharedChatPage from "./shared-chat.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const CHAT = {
  title: "<b>Rain</b>",
  messages: [
    { kind: "question" as const, text: "Will it\n<i>rain</i>?", model: null, files: ["map.txt"], is_complete: true },
    {
      kind: "answer" as const,
      text: "**Perhaps** <script>alert(1)</script> [here](javascript:alert(1)) ![map](https://x.example/map.png)",
      model: "feather/starter",
      files: [],
      is_complete: false,
    },
  ],
  created_at: "2026-11-30T08:00:00Z",
  expires_at: "2026-12-07T08:00:00Z",
};
const show = (answer: Parameters<typeof http.chatShares.read>[0]) =>
  renderPage(<SharedChatPage />, "/shared-chats/:token", "/shared-chats/secret", [
    http.auth.me(refuse(401, "unauthorized", "Sign in.")),
    http.chatShares.read(answer, { params: { token: "secret" } }),
  ]);

test("a shared chat is shown to visitors with its messages, names of files and incomplete answers", async () => {
  show(CHAT);
  expect(await screen.findByRole("heading", { name: "<b>Rain</b>", level: 1 })).toBeTruthy();
  expect(screen.getByText(/A copy of a chat with AI models/)).toBeTruthy();
  expect(screen.getByText("With map.txt")).toBeTruthy();
  expect(screen.getByRole("heading", { name: "starter", level: 2 })).toBeTruthy();
  expect(screen.getByText("The answer is not complete.")).toBeTruthy();
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("a shared chat runs no script and loads no picture of what was written in it", async () => {
  show(CHAT);
  const bold = await screen.findByText("Perhaps");
  expect(bold.tagName).toBe("STRONG");
  const main = document.body;
  expect(main.querySelector("script, img, i, iframe")).toBeNull();
  const links = within(main).queryAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["https://x.example/map.png"]);
  expect(links[0]?.getAttribute("rel")).toContain("noreferrer");
});

test.each([
  ["has ended", 404, "chat_shares.ended"],
  ["is no link", 400, "invalid_request"],
] as const)("a link that %s says so in words", async (_what, status, code) => {
  show(refuse(status, code, "It has ended."));
  expect(await screen.findByRole("heading", { name: "This link has ended" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test("a shared chat that cannot be loaded can be tried again", async () => {
  show(refuse(429, "rate_limit_exceeded", "Too many attempts."));
  expect(await screen.findByRole("button", { name: "Try again" })).toBeTruthy();
});
