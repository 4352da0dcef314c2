import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing/server.ts";
import { type TestSite, writeTestSite } from "../../testing/site.ts";
import { createSecurityHeaders } from "./security-headers.ts";

let site: TestSite;
let server: TestServer;
beforeAll(async () => {
  site = writeTestSite();
  server = await createTestServer({ siteFolder: site.folder, env: { FEATHER_PUBLIC_URL: "https://feather.example" } });
});
afterAll(async () => {
  await server.close();
  site.remove();
});

type Kind = [what: string, path: string, status: number, policy: "page" | "data", method?: string, body?: unknown];

describe("every response has security headers", () => {
  test.each<Kind>([
    ["a page", "/", 200, "page"],
    ["a page asked for its head", "/", 200, "page", "HEAD"],
    ["a private page", "/account", 200, "page"],
    ["a page that is not there", "/nothing", 404, "page"],
    ["a file", "/favicon.svg", 200, "page"],
    ["a script", "/assets/index-abc.js", 200, "page"],
    ["a file that is not there", "/assets/nothing.js", 404, "page"],
    ["a map", "/robots.txt", 200, "page"],
    ["a picture that is not there", "/share/nothing.png", 404, "page"],
    ["an address that is broken", "/docs/%zz", 400, "page"],
    ["an answer of the API", "/api/feather/families", 200, "data"],
    ["an answer in OpenAI's form", "/v1/models", 200, "data"],
    ["a refusal", "/api/auth/me", 401, "data"],
    ["a call that is not there", "/api/nothing", 404, "data"],
    ["a body that is wrong", "/api/auth/login", 400, "data", "POST", {}],
    ["a body that is broken", "/api/auth/login", 400, "data", "POST", "{"],
    ["a question of a browser", "/api/v1/models", 204, "data", "OPTIONS"],
    ["an address that means two things", "/api//auth/me", 404, "data"],
  ])("%s has security headers", async (_what, path, status, policy, method, body) => {
    const answer = await server.send(path, { ...(method && { method }), ...(body !== undefined && { body }) });
    expect(answer.status).toBe(status);
    const header = (name: string) => answer.headers.get(name);
    expect(header("x-content-type-options")).toBe("nosniff");
    expect(header("x-frame-options")).toBe("DENY");
    expect(header("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(header("permissions-policy")).toContain("camera=()");
    expect(header("cross-origin-opener-policy")).toBe("same-origin");
    expect(header("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
    const given = header("content-security-policy") ?? "";
    expect(given).toContain(policy === "page" ? "script-src 'self';" : "default-src 'none';");
    expect(given).toContain("frame-ancestors 'none'");
    expect(given).not.toContain("unsafe");
  });
});

test("sends strict-transport-security only with HTTPS", () => {
  const headers = (publicUrl: string) => createSecurityHeaders({ publicUrl, analyticsHost: undefined })("/");
  expect(headers("http://localhost:4000")).not.toHaveProperty("strict-transport-security");
  expect(headers("https://feather.example")).toHaveProperty("strict-transport-security");
});

test.each([
  ["/account/payment-methods", true],
  ["/subscription/change?plan=feather_basic", true],
  ["/account", false],
  ["/", false],
  ["/api/payment-methods", false],
])("lets Stripe's script in at %s: %s", (path, isAllowed) => {
  const publicUrl = "https://feather.example";
  const policyOf = (usesStripe: boolean) =>
    createSecurityHeaders({ publicUrl, analyticsHost: undefined, usesStripe })(path)["content-security-policy"];
  expect(policyOf(true)?.includes("https://js.stripe.com")).toBe(isAllowed);
  expect(policyOf(false)).not.toContain("stripe");
});

describe("the document that draws previews", () => {
  const headersOf = createSecurityHeaders({
    publicUrl: "https://feather.example",
    analyticsHost: "https://stats.example",
  });

  test.each(["/preview-frame.html", "/preview-frame.html?x=1"])(
    "%s has no origin, and loads our scripts alone",
    (path) => {
      const policy = headersOf(path)["content-security-policy"]?.split("; ");
      expect(policy).toEqual([
        "sandbox allow-scripts",
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "font-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
      ]);
    },
  );

  test("can be framed by the site, and is not indexed", () => {
    const headers = headersOf("/preview-frame.html");
    expect(headers).not.toHaveProperty("x-frame-options");
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "x-robots-tag": "noindex" });
    expect(headers["permissions-policy"]).toBe("camera=(), geolocation=(), microphone=(), payment=()");
  });

  test("is the only one that cannot ask for the microphone, with which chats take dictation", () => {
    expect(headersOf("/chat")["permissions-policy"]).toBe("camera=(), geolocation=(), microphone=(self), payment=()");
  });

  test.each(["/preview-frame.html/x", "/preview-frame.htm", "/x/preview-frame.html", "/api/preview-frame.html"])(
    "is not %s, which nobody can frame",
    (path) => {
      expect(headersOf(path)).toMatchObject({
        "x-frame-options": "DENY",
        "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
      });
    },
  );
});
