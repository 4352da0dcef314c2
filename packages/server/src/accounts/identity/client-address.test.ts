import { afterEach, describe, expect, test } from "vitest";
import { readSettings } from "../../config/settings.ts";
import { SettingsError } from "../../platform/core/settings.ts";
import { createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";

const servers: TestServer[] = [];
const start = async (env: Record<string, string>) => {
  const server = await createTestServer({ env: { FEATHER_RATE_LIMITS: "on", ...env } });
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Tries wrong passwords for one account, each from the address in its header. Returns the statuses. */
async function guesses(server: TestServer, count: number, headers: (index: number) => Record<string, string>) {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) {
    const body = { email: "guessed@example.com", password: "not-the-password" };
    statuses.push((await server.call("/api/auth/login", { body, headers: headers(index) })).status);
  }
  return statuses;
}
const refused = (statuses: number[]) => statuses.filter((status) => status === 429).length;

describe("the limit of password attempts", () => {
  test("the limit of password attempts ignores X-Forwarded-For without a trusted proxy", async () => {
    const server = await start({});
    const statuses = await guesses(server, 14, (index) => ({ "x-forwarded-for": `203.0.113.${index}` }));
    expect(refused(statuses)).toBe(4);
  });

  test("the limit of password attempts ignores addresses in front of the one that a trusted proxy added", async () => {
    const server = await start({ FEATHER_TRUSTED_PROXIES: "loopback, 10.0.0.0/8" });
    const chains = (index: number) => ({ "x-forwarded-for": `198.51.100.${index}, 127.0.0.1, 203.0.113.9, 10.1.2.3` });
    expect(refused(await guesses(server, 14, chains))).toBe(4);
  });

  test("the limit of password attempts treats addresses of one /64 and their spellings as one", async () => {
    const server = await start({ FEATHER_TRUSTED_PROXIES: "loopback" });
    const rotating = (index: number) => ({ "x-forwarded-for": `2001:db8:5:5::${(index + 1).toString(16)}` });
    expect(refused(await guesses(server, 14, rotating))).toBe(4);
    const forms = ["198.51.100.77", "::ffff:198.51.100.77", "::ffff:c633:644d"];
    const spelt = (index: number) => ({ "x-forwarded-for": forms[index % 3] ?? "" });
    expect(refused(await guesses(server, 14, spelt))).toBe(4);
  });

  test("the limit of password attempts does not block the user at another address", async () => {
    const server = await start({ FEATHER_TRUSTED_PROXIES: "127.0.0.1" });
    const headers = (ip: string) => ({ "x-forwarded-for": ip });
    const body = { email: "guessed@example.com", password: PASSWORD };
    await server.call("/api/auth/register", { body, headers: headers("203.0.113.50") });
    expect(refused(await guesses(server, 12, () => headers("203.0.113.66")))).toBe(2);
    expect((await server.call("/api/auth/login", { body, headers: headers("203.0.113.66") })).status).toBe(429);
    expect((await server.call("/api/auth/login", { body, headers: headers("203.0.113.50") })).status).toBe(200);
  });
});

describe("a client with many requests", () => {
  const ask = async (server: TestServer, times: number, path: string, body: (index: number) => object) => {
    const statuses: number[] = [];
    for (let index = 0; index < times; index++) statuses.push((await server.call(path, { body: body(index) })).status);
    return statuses;
  };

  test("a client with many requests is limited by every operation of sign-in and registration", async () => {
    const server = await start({});
    const token = "one_nonsense";
    expect(refused(await ask(server, 8, "/api/auth/forgot-password", () => ({ email: "a@example.com" })))).toBe(3);
    expect(
      refused(await ask(server, 16, "/api/auth/reset-password", () => ({ token, password: PASSWORD }))),
    ).toBeGreaterThan(0);
    expect(refused(await ask(server, 31, "/api/auth/email-verification", () => ({ token })))).toBe(1);
    expect(
      refused(await ask(server, 31, "/api/auth/login/second-factor", () => ({ challenge: token, code: "123456" }))),
    ).toBe(1);
    expect(
      refused(
        await ask(server, 21, "/api/auth/register", (index) => ({ email: `u${index}@x.example`, password: "short" })),
      ),
    ).toBe(0); // refused for their form before they count
    const common = (index: number) => ({ email: `u${index}@x.example`, password: "password123" });
    expect(refused(await ask(server, 21, "/api/auth/register", common))).toBe(1);
  });
});

describe("the setting of trusted proxies", () => {
  test.each(["loopback", "10.0.0.0/8", "::1, fd00::/8", "127.0.0.1,uniquelocal"])(
    "the setting of trusted proxies accepts %s",
    (value) => {
      const { server } = readSettings({ FEATHER_TRUSTED_PROXIES: value }, "/nonexistent");
      expect(server.trustedProxies).toHaveLength(value.split(",").length);
    },
  );

  test.each(["everything", "10.0.0.0/99", "127.0.0.1,,", "proxy.example.com", "*", "true", "1"])(
    "the setting of trusted proxies rejects %s",
    (value) => {
      const read = () => readSettings({ FEATHER_TRUSTED_PROXIES: value }, "/nonexistent");
      expect(read).toThrow(SettingsError);
    },
  );
});
