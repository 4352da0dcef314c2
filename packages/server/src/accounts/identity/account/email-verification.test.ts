import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSecret } from "../../../platform/core/secrets/secrets.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import { findMailedToken, listMessages } from "../../../testing/outbox.ts";
import { createTestServer, PASSWORD, type TestServer } from "../../../testing/server.ts";

const clock = createTestClock();
let server: TestServer;
/** The server without a mail server. */
let small: TestServer;

beforeAll(async () => {
  [server, small] = await Promise.all([
    createTestServer({ clock, env: { SMTP_URL: "smtp://127.0.0.1:9", FEATHER_PUBLIC_URL: "https://feather.example" } }),
    createTestServer({ clock }),
  ]);
});
afterAll(() => Promise.all([server.close(), small.close()]));

const post = (body: unknown, token?: string, on = server) => on.call("/api/auth/email-verification", { body, token });
const me = async (token: string, on = server) => (await on.call("/api/auth/me", { token })).body;
const verify = (token: string) => post({ token, password: PASSWORD });
let registrations = 0;
/** Registers an address. Returns the token of its link. */
async function register(email = `registered${++registrations}@example.com`): Promise<{ email: string; link: string }> {
  await server.call("/api/auth/register", { body: { email, password: PASSWORD } });
  await server.api.registration.registration.settled();
  return { email, link: await findMailedToken(server, email, "email_verification") };
}

describe("a new account on a server with mail", () => {
  test("a new account on a server with mail gets a link to the public URL and is unverified until the link is opened", async () => {
    const { token, email } = await server.signUp("new@example.com");
    expect(await me(token)).toMatchObject({ email_verified: false });
    const [message] = await listMessages(server, email);
    expect(message?.kind).toBe("email_verification");
    expect(message?.body).toMatch(/https:\/\/feather\.example\/confirm-email\?token=one_\w+/);
  });

  test("a new account on a server with mail can read, but neither create keys nor call models", async () => {
    const { token } = await server.signUp();
    expect((await server.call("/api/subscription/plans", { token })).status).toBe(200);
    const made = await server.call("/api/api-keys", { token, body: { name: "k" } });
    expect([made.status, errorCode(made.body)]).toEqual([403, "email_not_verified"]);
    const call = await server.call("/v1/chat/completions", {
      token,
      body: { model: "feather/demo", messages: [{ role: "user", content: "hi" }] },
    });
    expect(call).toMatchObject({ status: 403, body: { error: { code: "email_not_verified" } } });
    expect(call.headers.get("x-should-retry")).toBe("false");
  });

  test("a new account on a server with mail is verified and signed in by the link, which works once", async () => {
    const { email, link: token } = await register();
    const answer = await verify(token);
    expect(answer).toMatchObject({ status: 200, body: { email, email_verified: true } });
    const session = answer.headers.get("x-session-token") ?? "";
    expect(answer.headers.get("set-cookie")).toContain(`session=${session}`);
    expect(await me(session)).toMatchObject({ email });
    expect((await server.call("/api/api-keys", { token: session, body: { name: "k" } })).status).toBe(201);
    const again = await verify(token);
    expect([again.status, errorCode(again.body)]).toEqual([400, "auth.invalid_token"]);
  });

  test("a new account on a server with mail is verified once by fifty concurrent requests with the link", async () => {
    const { link: token } = await register();
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(400)]);
  });

  test("a new account on a server with mail gets a new link at most once a minute, which revokes the one before", async () => {
    const { token, email } = await server.signUp();
    expect((await post({}, token)).status).toBe(204);
    const first = await findMailedToken(server, email, "email_verification");
    const soon = await post({}, token);
    expect(soon.status).toBe(429);
    expect(Number(soon.headers.get("retry-after"))).toBe(60);
    clock.at += MINUTE_MS;
    const again = await server.call("/api/auth/email-verification", { method: "POST", token });
    expect([again.status, again.text]).toEqual([204, ""]);
    const second = await findMailedToken(server, email, "email_verification");
    expect(second).not.toBe(first);
    expect((await verify(first)).status).toBe(400);
    expect((await verify(second)).status).toBe(200);
  });

  test("a new account on a server with mail gets no further link once it is verified", async () => {
    const { email, link } = await register();
    const token = (await verify(link)).headers.get("x-session-token") ?? "";
    clock.at += MINUTE_MS;
    expect((await post({}, token)).status).toBe(204);
    expect(await listMessages(server, email)).toHaveLength(1);
  });

  test("a new account on a server with mail cannot be verified with a link older than an hour", async () => {
    const { link: token } = await register();
    clock.at += HOUR_MS;
    expect((await verify(token)).status).toBe(400);
  });

  test("the link that verifies an account keeps the page to return to if it is on this site", async () => {
    const state = async (returnTo: string) =>
      ((await server.call("/api/auth/state", { body: { returnTo } })).body as { state: string }).state;
    const bodyOf = async (email: string, returnTo: string) => {
      await server.call("/api/auth/register", { body: { email, password: PASSWORD, state: await state(returnTo) } });
      await server.api.registration.registration.settled();
      return (await listMessages(server, email))[0]?.body;
    };
    expect(await bodyOf("here@example.com", "/models?search=x")).toContain("&returnTo=%2Fmodels%3Fsearch%3Dx\n");
    expect(await bodyOf("there@example.com", "//evil.example")).not.toContain("returnTo");
  });

  test.each([
    ["nothing", ""],
    ["nonsense", "one_nonsense"],
    ["a token that was never made", createSecret("one")],
    ["a session", createSecret("ses")],
    ["SQL", "' OR 1=1 --"],
    ["NUL", "one_\0"],
  ])("a new account on a server with mail is not verified by %s", async (_what, token) => {
    expect((await verify(token)).status).toBe(400);
  });

  test("a new account on a server with mail cannot be verified by a token of another purpose", async () => {
    const { email } = await server.signUp();
    await server.call("/api/auth/forgot-password", { body: { email } });
    await server.api.identity.passwordReset.settled();
    const token = await findMailedToken(server, email, "password_reset");
    expect(token).not.toBe("");
    expect((await verify(token)).status).toBe(400);
  });

  test("a new account on a server with mail is not signed in by its link while it is suspended", async () => {
    const { email, link: token } = await register();
    await server.db.updateTable("users").set({ suspended_at: clock.now() }).where("email", "=", email).execute();
    const answer = await verify(token);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test("rejects a request for a verification link without a session", async () => {
    expect((await post({})).status).toBe(401);
  });
});

describe("the host of links in mails", () => {
  test.each([
    { host: "evil.example" },
    { "x-forwarded-host": "evil.example" },
    { forwarded: "host=evil.example;proto=http" },
    { "x-original-host": "evil.example", "x-forwarded-proto": "http" },
    { origin: "https://evil.example", referer: "https://evil.example/x" },
  ])("the host of links in mails is that of the public URL despite the headers %o", async (headers) => {
    const { token, email } = await server.signUp();
    clock.at += MINUTE_MS;
    await server.call("/api/auth/email-verification", { method: "POST", token, headers });
    await server.call("/api/auth/forgot-password", { body: { email }, headers });
    await server.api.identity.passwordReset.settled();
    const messages = await listMessages(server, email);
    expect(messages).toHaveLength(3);
    for (const { body } of messages) {
      expect(body).toContain("https://feather.example/");
      expect(body).not.toContain("evil");
    }
  });
});

describe("an account on a server without mail", () => {
  test("an account on a server without mail is verified from the start and gets no message", async () => {
    const { token, email } = await small.signUp();
    expect(await me(token, small)).toMatchObject({ email_verified: true });
    expect(await listMessages(small, email)).toHaveLength(0);
    expect((await post({}, token, small)).status).toBe(204);
    expect(await listMessages(small, email)).toHaveLength(0);
  });

  test("an account on a server without mail changes its address by the link in the outbox", async () => {
    const { token, email } = await small.signUp();
    const change = await small.call("/api/account", {
      method: "PUT",
      token,
      body: { email: "moved@example.com", current_password: PASSWORD },
    });
    expect(change).toMatchObject({ status: 200, body: { email, pending_email: "moved@example.com" } });
    const link = await findMailedToken(small, "moved@example.com", "email_verification");
    expect(errorCode((await post({ token: link }, undefined, small)).body)).toBe("auth.wrong_password");
    expect((await post({ token: link }, token, small)).body).toMatchObject({ email: "moved@example.com" });
  });
});
