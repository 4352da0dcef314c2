import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, PASSWORD, type TestServer } from "../../../testing/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

const login = (email: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
const statusWith = async (cookie: string) => (await fetch(`${server.url}/api/auth/me`, { headers: { cookie } })).status;

describe("signing in", () => {
  test("signing in returns the session only in an httpOnly cookie by default", async () => {
    const { email } = await server.signUp();
    const answer = await login(email);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-session-token")).toBeNull();
    expect(answer.headers.getSetCookie()[0]).toMatch(/^session=ses_.*HttpOnly/);
    expect(await statusWith(cookieOf(answer))).toBe(200);
  });

  test("signing in returns the token to a program that requests it", async () => {
    const { email } = await server.signUp();
    const answer = await login(email, { "x-session-transport": "token" });
    expect(answer.headers.get("x-session-token")).toMatch(/^ses_/);
  });

  test("signing in ends the browser's previous session", async () => {
    const { email } = await server.signUp();
    const before = cookieOf(await login(email));
    const after = cookieOf(await login(email, { cookie: before }));
    expect([await statusWith(before), await statusWith(after)]).toEqual([401, 200]);
  });

  test("signing in keeps the session when the password is wrong", async () => {
    const { email } = await server.signUp();
    const cookie = cookieOf(await login(email));
    const wrong = await fetch(`${server.url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify({ email, password: "not the password" }),
    });
    expect([wrong.status, await statusWith(cookie)]).toEqual([401, 200]);
  });
});

describe("the header cache-control", () => {
  test.each(["/api/auth/me", "/api/api-keys", "/api/usage/credits", "/api/organization/members", "/api/invoices"])(
    "the header cache-control forbids caching of %s",
    async (path) => {
      const { token } = await server.signUp();
      expect((await server.call(path, { token })).headers.get("cache-control")).toBe("no-store");
    },
  );

  test("the header cache-control forbids caching of a new key", async () => {
    const { token } = await server.signUp();
    const answer = await server.call("/api/api-keys", { token, body: { name: "laptop" } });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([201, "no-store"]);
  });

  test("the header cache-control forbids caching of an error", async () => {
    expect((await server.call("/api/auth/me")).headers.get("cache-control")).toBe("no-store");
  });

  test.each(["/api/feather/families", "/api/config", "/api/feather/models"])(
    "the header cache-control allows visitors to cache %s",
    async (path) => {
      expect((await server.call(path)).headers.get("cache-control")).not.toBe("no-store");
    },
  );
});

describe("the concurrency stream", () => {
  /** Reads what the stream still sends before it ends. */
  async function rest(response: Response): Promise<string> {
    return response.text();
  }

  test("the concurrency stream ends when its reader logs out", async () => {
    const { token } = await server.signUp();
    const stream = await server.send("/api/account/concurrency/stream", { token });
    expect(stream.status).toBe(200);
    await server.call("/api/auth/logout", { method: "POST", token });
    expect(await rest(stream)).toContain("data:");
  });

  test("the concurrency stream ends when its key is deleted", async () => {
    const owner = await server.signUp();
    const { id, secret } = await server.createKey(owner);
    const stream = await server.send("/api/account/concurrency/stream", { token: secret });
    expect(stream.status).toBe(200);
    await server.call(`/api/api-keys/${id}`, { method: "DELETE", token: owner.token });
    expect(await rest(stream)).toContain("data:");
  });
});
