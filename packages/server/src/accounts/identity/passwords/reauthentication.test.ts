import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../../testing/server.ts";

const clock = createTestClock();
let server: TestServer;
let account: Account;
let key: string;

beforeAll(async () => {
  server = await createTestServer({ clock });
});
beforeEach(async () => {
  account = await server.signUp();
  key = (await server.createKey(account, { scopes: ["user.read", "user.write"] })).secret;
});
afterAll(() => server.close());

const withoutPassword = () =>
  server.db.updateTable("users").set({ password_hash: null }).where("id", "=", account.userId).execute();

/** Operations with which an attacker could take over an account. */
const TAKEOVERS: [string, (token: string, proof: object) => ReturnType<TestServer["call"]>][] = [
  [
    "another address",
    (token, proof) =>
      server.call("/api/account", { method: "PUT", token, body: { email: "thief@example.com", ...proof } }),
  ],
  [
    "another password",
    (token, proof) =>
      server.call("/api/auth/password", { method: "POST", token, body: { password: "a longer password", ...proof } }),
  ],
];

describe.each(TAKEOVERS)("%s", (_what, ask) => {
  test("an operation that could take over an account is rejected with a key and without the password", async () => {
    for (const proof of [{}, { current_password: "a guess at it" }])
      expect(errorCode((await ask(key, proof)).body)).toBe("auth.wrong_password");
    expect((await ask(key, { current_password: PASSWORD })).status).toBeLessThan(300);
  });

  test("an operation that could take over an account requires a recent sign-in of users without a password, which a key is not", async () => {
    await withoutPassword();
    expect(errorCode((await ask(key, {})).body)).toBe("recent_sign_in_required");
    clock.at += 15 * 60_000 + 1;
    expect(errorCode((await ask(account.token, {})).body)).toBe("recent_sign_in_required");
    clock.at -= 60_000;
    expect((await ask(account.token, {})).status).toBeLessThan(300);
  });
});

describe("a second factor", () => {
  test("a second factor can be set up and disabled only in a session", async () => {
    for (const [path, method, body] of [
      ["/api/auth/totp", "POST", undefined],
      ["/api/auth/totp/confirm", "POST", { code: "123456" }],
      ["/api/auth/totp", "DELETE", { code: "123456" }],
    ] as const)
      expect((await server.call(path, { method, token: key, body })).status).toBe(401);
    const body = { password: PASSWORD };
    expect((await server.call("/api/auth/totp", { token: account.token, body })).status).toBe(200);
  });

  test("a second factor can be neither begun nor disabled without the password", async () => {
    const { token } = account;
    expect(errorCode((await server.call("/api/auth/totp", { method: "POST", token })).body)).toBe(
      "auth.wrong_password",
    );
    const body = { code: "123456" };
    expect(errorCode((await server.call("/api/auth/totp", { method: "DELETE", token, body })).body)).toBe(
      "auth.wrong_password",
    );
  });
});
