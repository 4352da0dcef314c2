import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest } from "../../testing/chat.ts";
import { createTestServer, type TestServer } from "../../testing/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

const ORIGIN = { origin: "https://page.example" };

describe("a page of another site", () => {
  test.each(["/v1/chat/completions", "/api/v1/completions", "/v1/preflight"])(
    "a page of another site can send a preflight request for %s",
    async (path) => {
      const answer = await server.call(path, {
        method: "OPTIONS",
        headers: {
          ...ORIGIN,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization,x-queue-timeout",
        },
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("access-control-allow-headers")).toBe("authorization,x-queue-timeout");
      expect(answer.headers.get("access-control-allow-methods")).toContain("POST");
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    },
  );

  test.each([
    ["/api/oauth/userinfo", "GET, HEAD, OPTIONS"],
    ["/api/oauth/token", "POST, OPTIONS"],
    ["/api/oauth/revoke", "POST, OPTIONS"],
    ["/api/oauth/device", "POST, OPTIONS"],
    ["/.well-known/oauth-authorization-server", "GET, HEAD, OPTIONS"],
    ["/api/.well-known/oauth-authorization-server", "GET, HEAD, OPTIONS"],
    ["/v1/models", "GET, HEAD, OPTIONS"],
    ["/v1/models/owner/name", "GET, HEAD, OPTIONS"],
    ["/v1/models/owner%2Fname?x=1", "GET, HEAD, OPTIONS"],
    ["/v1/plan", "GET, HEAD, OPTIONS"],
    ["/v1/preflight", "POST, OPTIONS"],
    ["/v1/chat/completions", "POST, OPTIONS"],
    ["/api/deployments/dep_1/v1/models", "GET, HEAD, OPTIONS"],
    ["/api/deployments/dep_1/v1/chat/completions", "POST, OPTIONS"],
  ])("a page of another site gets the methods of %s, which are %s", async (path, methods) => {
    const { status, headers } = await server.call(path, { method: "OPTIONS", headers: ORIGIN });
    expect([status, headers.get("allow")]).toEqual([204, methods]);
    expect(headers.get("access-control-allow-methods")).toBe(methods);
  });

  test.each(["/v1/nothing", "/api/deployments/dep_1/v1/nothing"])(
    "a page of another site gets 404 for %s",
    async (path) => {
      const answer = await server.call(path, { method: "OPTIONS", headers: ORIGIN });
      expect([answer.status, answer.body]).toMatchObject([404, { error: { code: "not_found" } }]);
    },
  );

  test("a page of another site can read responses to calls with a key, also errors and streams", async () => {
    const owner = await server.signUpOnPlan({});
    await server.addUpstream();
    const { secret } = await server.createKey(owner);
    const call = (body: unknown, token: string) =>
      server.call("/v1/chat/completions", { token, body, headers: ORIGIN });
    for (const answer of [
      await call(createChatRequest(), secret),
      await call(createChatRequest({ stream: true }), secret),
      await call(createChatRequest(), "rc_wrong"),
    ]) {
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  test.each([
    ["a body of another type", "/api/oauth/token", { "content-type": "application/json" }, "{}", 415],
    ["no client", "/api/oauth/token", { "content-type": "application/x-www-form-urlencoded" }, "grant_type=x", 401],
    ["no client", "/api/oauth/revoke", { "content-type": "application/x-www-form-urlencoded" }, "token=x", 401],
    ["no client", "/api/oauth/device", { "content-type": "application/x-www-form-urlencoded" }, "scope=x", 401],
    ["a wrong token", "/api/oauth/userinfo", { authorization: "Bearer oat_wrong" }, undefined, 401],
  ])("a page of another site can read why %s is refused at %s", async (_what, path, headers, body, status) => {
    const response = await fetch(server.url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...ORIGIN, ...headers },
      ...(body !== undefined && { body }),
    });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([status, "*"]);
  });

  test.each(["/api/oauth/authorize", "/api/oauth/device/verify"])(
    "a page of another site gets no preflight for %s, which needs a session",
    async (path) => {
      const answer = await server.call(path, { method: "OPTIONS", headers: ORIGIN });
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([405, null]);
    },
  );

  test("a page of another site cannot call with a visitor's cookie", async () => {
    const owner = await server.signUp();
    const answer = await server.call("/v1/chat/completions", {
      body: createChatRequest(),
      headers: { ...ORIGIN, cookie: `session=${owner.token}`, "sec-fetch-site": "cross-site" },
    });
    expect(answer.status).toBe(403);
  });

  test("a page of another site cannot read anything else", async () => {
    const answer = await server.call("/api/health/live", { headers: ORIGIN });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("responses", () => {
  test("responses are available with HEAD", async () => {
    const answer = await server.call("/v1/models", { method: "HEAD" });
    expect([answer.status, answer.text]).toEqual([200, ""]);
  });

  test("responses have the request id in both headers", async () => {
    const { headers } = await server.call("/v1/models/nobody/nothing");
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    expect(headers.get("x-request-id")).toBe(headers.get("request-id"));
  });
});
