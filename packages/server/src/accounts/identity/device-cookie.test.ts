import { createTestClock } from "@feather/testing/clock";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../platform/core/time.ts";
import { type Account, type Answer, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";

const WRONG = "not-the-password";
const clock = createTestClock();
let server: TestServer;
let addresses = 0;

beforeAll(async () => {
  server = await createTestServer({
    clock,
    env: { FEATHER_RATE_LIMITS: "on", FEATHER_TRUSTED_PROXIES: "loopback" },
  });
});
afterAll(() => server.close());

/** Returns headers of a request from an unused address. */
function fromElsewhere(device: string | null = null): Record<string, string> {
  addresses += 1;
  const forwarded = `203.0.${addresses >> 8}.${addresses & 255}`;
  return { "x-forwarded-for": forwarded, ...(device !== null && { cookie: `device=${device}` }) };
}

const login = (email: string, password: string, device: string | null = null) =>
  server.call("/api/auth/login", { body: { email, password }, headers: fromElsewhere(device) });

const deviceLine = (answer: Answer) => answer.headers.getSetCookie().find((line) => line.startsWith("device="));
const deviceOf = (answer: Answer) => /^device=([\w-]+)/.exec(deviceLine(answer) ?? "")?.[1] ?? null;

async function signUp(): Promise<Account & { device: string | null }> {
  const account = await server.signUp(`device${addresses}@example.com`);
  return { ...account, device: deviceOf(await login(account.email, PASSWORD)) };
}

/** Tries wrong passwords from 21 addresses, after which the account is delayed. */
async function guess(email: string): Promise<void> {
  for (let count = 0; count < 21; count++) await login(email, WRONG);
}

describe("the device cookie", () => {
  test("the device cookie is set by a sign-in for a year, is unreadable for scripts and names no account", async () => {
    const { email, userId } = await signUp();
    const line = deviceLine(await login(email, PASSWORD)) ?? "";
    expect(line.split("; ").slice(1).sort()).toEqual([
      "HttpOnly",
      "Max-Age=31536000",
      "Path=/api/auth",
      "SameSite=Lax",
    ]);
    const text = Buffer.from(/^device=([\w-]+)/.exec(line)?.[1] ?? "", "base64url").toString("latin1");
    expect(text).not.toContain(userId);
    expect(text).not.toContain(email);
  });

  test("the device cookie is Secure where the public URL is https", async () => {
    const secure = await createTestServer({ env: { FEATHER_PUBLIC_URL: "https://feather.example" } });
    const answer = await secure.call("/api/auth/register", { body: { email: "a@example.com", password: PASSWORD } });
    expect(deviceLine(answer)).toContain("; Secure");
    await secure.close();
  });

  test("the device cookie is not set by a wrong password or before the second factor", async () => {
    const { email, token } = await signUp();
    expect(deviceOf(await login(email, WRONG))).toBeNull();
    const begun = await server.call("/api/auth/totp", { token, body: { password: PASSWORD } });
    const secret = new URL((begun.body as { uri: string }).uri).searchParams.get("secret") ?? "";
    const code = () => new TOTP({ secret }).generate({ timestamp: clock.at });
    await server.call("/api/auth/totp/confirm", { token, body: { code: code() } });
    clock.at += 60_000;
    const pending = await login(email, PASSWORD);
    expect(deviceOf(pending)).toBeNull();
    const { challenge } = pending.body as { challenge: string };
    const answer = await server.call("/api/auth/login/second-factor", { body: { challenge, code: code() } });
    expect(deviceOf(answer)).not.toBeNull();
  });

  test("the device cookie lets the user sign in from any address while the account is delayed", async () => {
    const { email, device } = await signUp();
    await guess(email);
    expect((await login(email, PASSWORD)).status).toBe(429);
    expect((await login(email, PASSWORD, device)).status).toBe(200);
  });

  test("the device cookie does not lift the delay of another account", async () => {
    const [owner, stranger] = [await signUp(), await signUp()];
    await guess(owner.email);
    expect((await login(owner.email, PASSWORD, stranger.device)).status).toBe(429);
  });

  test("the device cookie lifts the delay for at most ten wrong passwords", async () => {
    const { email, device } = await signUp();
    await guess(email);
    for (let count = 0; count < 10; count++) expect((await login(email, WRONG, device)).status).toBe(401);
    expect((await login(email, PASSWORD, device)).status).toBe(429);
  });

  test.each([
    ["changed", (device: string) => (device.startsWith("A") ? `B${device.slice(1)}` : `A${device.slice(1)}`)],
    ["cut short", (device: string) => device.slice(1)],
    ["empty", () => ""],
    ["something else", () => "x".repeat(72)],
  ])("the device cookie is ignored when its value is %s", async (_what, change) => {
    const { email, device } = await signUp();
    await guess(email);
    expect((await login(email, PASSWORD, change(device ?? ""))).status).toBe(429);
  });

  test("the device cookie is ignored a year after it was set", async () => {
    const { email, device } = await signUp();
    clock.at += 365 * DAY_MS + 1;
    await guess(email);
    expect((await login(email, PASSWORD, device)).status).toBe(429);
  });

  test("the device cookie is ignored after a change of password, which sets a new one", async () => {
    const { email, device, token } = await signUp();
    const password = "quills-are-light-too";
    const changed = await server.call("/api/auth/password", {
      token,
      body: { current_password: PASSWORD, password },
    });
    expect(changed.status).toBe(204);
    await guess(email);
    expect((await login(email, password, device)).status).toBe(429);
    expect((await login(email, password, deviceOf(changed))).status).toBe(200);
  });

  test("the device cookie is removed with the account", async () => {
    const { token } = await signUp();
    const answer = await server.call("/api/account", { method: "DELETE", token, body: { password: PASSWORD } });
    expect(deviceLine(answer)).toMatch(/^device=;.*Path=\/api\/auth/);
  });
});
