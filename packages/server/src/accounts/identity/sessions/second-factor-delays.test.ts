import { createTestClock } from "@feather/testing/clock";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOUR_MS } from "../../../platform/core/time.ts";
import { createTestServer, PASSWORD, type TestServer } from "../../../testing/server.ts";

const clock = createTestClock();
let server: TestServer;
let strangers = 0;

beforeAll(async () => {
  server = await createTestServer({
    clock,
    env: { FEATHER_RATE_LIMITS: "on", FEATHER_TRUSTED_PROXIES: "loopback" },
  });
});
afterAll(() => server.close());

/** Returns headers of a request from an unused address. */
const elsewhere = (cookie?: string) => {
  strangers += 1;
  return { "x-forwarded-for": `203.0.113.${strangers}`, ...(cookie !== undefined && { cookie }) };
};

test("wrong second-factor codes delay further ones across sign-ins and addresses, but not on known devices of the user", async () => {
  const { token, email } = await server.signUp();
  const begun = await server.call("/api/auth/totp", { token, body: { password: PASSWORD } });
  const secret = new URL((begun.body as { uri: string }).uri).searchParams.get("secret") ?? "";
  const code = () => new TOTP({ secret }).generate({ timestamp: clock.at });
  await server.call("/api/auth/totp/confirm", { token, body: { code: code() } });
  clock.at += 60_000;
  const answer = async (headers: Record<string, string>, given: string) => {
    const { body } = await server.call("/api/auth/login", { body: { email, password: PASSWORD }, headers });
    const { challenge } = body as { challenge: string };
    return server.call("/api/auth/login/second-factor", { body: { challenge, code: given }, headers });
  };
  const first = await answer(elsewhere(), code());
  expect(first.status).toBe(200);
  const device = /device=[\w-]+/.exec(first.headers.get("set-cookie") ?? "")?.[0];
  for (let count = 0; count < 20; count++) expect((await answer(elsewhere(), "000000")).status).toBe(401);
  clock.at += HOUR_MS;
  expect((await answer(elsewhere(), "000000")).status).toBe(401);
  const delayed = await answer(elsewhere(), code());
  expect([delayed.status, delayed.headers.get("retry-after")]).toEqual([429, "4"]);
  expect((await answer(elsewhere(device), code())).status).toBe(200);
});
