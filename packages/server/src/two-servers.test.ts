import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { type FakeUpstream, startFakeUpstream } from "@feather/testing/fake-upstream";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HOUR_MS, SECOND_MS } from "./platform/core/time.ts";
import { createChatRequest } from "./testing/chat.ts";
import { type Application, createOAuthClient, DEVICE_GRANT, type TokenBody } from "./testing/oauth.ts";
import { findMailedToken } from "./testing/outbox.ts";
import { type Account, type Answer, PASSWORD } from "./testing/server.ts";
import { createTwoServers, type TwoServers } from "./testing/two-servers.ts";

const clock = createTestClock("2026-05-01T12:00:00Z");
let servers: TwoServers;
let a: TwoServers["a"];
let b: TwoServers["b"];
let admin: Account;
let user: Account;
let upstream: FakeUpstream;

beforeAll(async () => {
  servers = await createTwoServers({ clock, env: { FEATHER_OUTGOING_ALLOW: "127.0.0.1" } });
  ({ a, b } = servers);
  upstream = await a.addUpstream();
  b.api.backends.registry.set({
    name: "same",
    source: "settings",
    baseUrl: upstream.baseUrl,
    weight: 1,
    models: new Map([["feather/demo", "up:feather/demo"]]),
  });
  admin = await a.signInAdmin();
});
beforeEach(async () => {
  user = await a.signUp();
});
afterAll(() => servers.close());

const put = (path: string, body: object) => a.call(path, { method: "PUT", token: admin.token, body });
const statusAtB = async (secret: string) => (await b.call("/v1/plan", { token: secret })).status;
const chatAtB = (token: string, model = "feather/demo") =>
  b.call("/v1/chat/completions", { token, body: createChatRequest({ model }) });
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();
/** Sends the same call ten times to each server, all at the same time. */
const atBoth = (path: string, options: Parameters<typeof a.call>[1]) =>
  Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? a : b).call(path, options)));

describe("an API key at the other server", () => {
  let key: { id: string; secret: string };
  beforeEach(async () => {
    key = await a.createKey(user, { scopes: ["user.read", "api.access"] });
    await servers.settled();
    expect(await statusAtB(key.secret)).toBe(200);
  });
  const path = () => `/api/api-keys/${key.id}`;

  test.each([
    ["deleted", () => a.call(path(), { method: "DELETE", token: user.token })],
    ["disabled", () => a.call(path(), { method: "PUT", token: user.token, body: { disabled: true } })],
    ["rotated", () => a.call(`${path()}/rotate`, { token: user.token, body: { grace_s: 0 } })],
    [
      "suspended with its user",
      () => put(`/api/admin/users/${user.userId}`, { suspended: true, reason: "Sends unsolicited mail" }),
    ],
    [
      "deleted by an operator in the database",
      async () => {
        await a.db.updateTable("api_keys").set({ deleted_at: clock.now() }).where("id", "=", key.id).execute();
        return { status: 200 };
      },
    ],
    [
      "left without its member",
      async () => {
        await a.db.deleteFrom("memberships").where("user_id", "=", user.userId).execute();
        return { status: 200 };
      },
    ],
  ])("an API key is refused by the other server once it is %s", async (_what, act) => {
    expect((await act()).status).toBeLessThan(300);
    await servers.settled();
    expect(await statusAtB(key.secret)).toBe(401);
  });

  test("a rotated API key has its new secret at the other server immediately", async () => {
    const rotated = await a.call(`${path()}/rotate`, { token: user.token, body: { grace_s: 60 } });
    expect(await statusAtB((rotated.body as { secret: string }).secret)).toBe(200);
    await servers.settled();
    expect(await statusAtB(key.secret)).toBe(200);
    clock.at += 60 * SECOND_MS;
    expect(await statusAtB(key.secret)).toBe(401);
  });

  test("an API key expires at the other server while it is in the cache", async () => {
    const expires_at = new Date(clock.at + HOUR_MS).toISOString();
    expect((await a.call(path(), { method: "PUT", token: user.token, body: { expires_at } })).status).toBe(200);
    await servers.settled();
    expect(await statusAtB(key.secret)).toBe(200);
    clock.at += HOUR_MS;
    expect(await statusAtB(key.secret)).toBe(401);
  });
});

describe("a session at the other server", () => {
  const me = (server: typeof b, cookie: string) => server.call("/api/auth/me", { headers: { cookie } });
  async function signInAtA(): Promise<string> {
    const { headers } = await a.call("/api/auth/login", { body: { email: user.email, password: PASSWORD } });
    return (headers.getSetCookie().find((cookie) => cookie.startsWith("session=")) ?? "").split(";")[0] ?? "";
  }

  test("a session works at the other server with its cookie, and ends when it is ended at the first", async () => {
    const cookie = await signInAtA();
    expect((await me(b, cookie)).body).toMatchObject({ id: user.userId });
    const ended = await a.call("/api/auth/logout", { method: "POST", headers: { cookie, origin: a.url } });
    expect(ended.status).toBeLessThan(300);
    expect((await me(b, cookie)).status).toBe(401);
  });

  test("a session at the other server ends when its user is suspended", async () => {
    const cookie = await signInAtA();
    expect((await me(b, cookie)).status).toBe(200);
    await put(`/api/admin/users/${user.userId}`, { suspended: true, reason: "Sends unsolicited mail" });
    expect((await me(b, cookie)).status).toBe(401);
  });
});

describe("what an admin changes at one server", () => {
  test("a plan that an admin changes at one server takes effect at the other", async () => {
    const owner = await a.signUpOnPlan({ concurrency: 4 });
    const current = async () => (await b.api.plans.currentPlan(owner.organizationId)).plan.concurrency;
    await servers.settled();
    expect(await current()).toBe(4);
    expect((await put(`/api/admin/plans/plan_${owner.userId}`, { concurrency: 9 })).status).toBe(200);
    await servers.settled();
    expect(await current()).toBe(9);
  });

  test("a plan that an admin gives a user at one server takes effect at the other", async () => {
    const current = async () => (await b.api.plans.currentPlan(user.organizationId)).plan.id;
    await servers.settled();
    expect(await current()).toBe("feather_lite");
    expect((await put(`/api/admin/users/${user.userId}`, { plan_id: "feather_max" })).status).toBe(200);
    await servers.settled();
    expect(await current()).toBe("feather_max");
  });

  test("a price that an admin sets at one server takes effect at the other", async () => {
    const model = { key: "feather/demo", classId: "none", parameterSize: null };
    const price = async () => (await b.api.prices.priceBook.findPrice(model))?.prompt.replace(/0+$/, "");
    expect(await price()).not.toBe("0.5");
    const body = { prompt: "0.5", completion: "1" };
    const path = "/api/admin/base-models/feather/demo/prices";
    expect((await a.call(path, { token: admin.token, body })).status).toBe(201);
    await servers.settled();
    expect(await price()).toBe("0.5");
  });

  test("a model that is disabled at one server is refused by the other, and answered again when it is enabled", async () => {
    expect((await chatAtB(user.token)).status).toBe(200);
    await put("/api/admin/models/feather/demo", { disabled: true });
    await servers.settled();
    expect(errorCode((await chatAtB(user.token)).body)).toBe("model_disabled");
    await put("/api/admin/models/feather/demo", { disabled: false });
    await servers.settled();
    expect((await chatAtB(user.token)).status).toBe(200);
  });

  test("a backend that is added at one server is used by the other, with its new key and address, until it is deleted", async () => {
    const [first, second] = [await startFakeUpstream(), await startFakeUpstream()];
    user = await a.signUpOnPlan({ billing_mode: "subscription" });
    const model = "far/one";
    const fields = { name: "far", base_url: first.baseUrl, models: [model], api_key: "sk-first" };
    const added = await a.call("/api/admin/backends", { token: admin.token, body: fields });
    expect(added.status).toBe(201);
    await waitFor(async () => expect((await chatAtB(user.token, model)).status).toBe(200));
    expect(first.recordedRequests.at(-1)?.headers.authorization).toBe("Bearer sk-first");

    const path = `/api/admin/backends/${(added.body as { id: string }).id}`;
    await put(path, { ...fields, base_url: second.baseUrl, api_key: "sk-second" });
    await waitFor(async () => {
      expect((await chatAtB(user.token, model)).status).toBe(200);
      expect(second.recordedRequests.at(-1)?.headers.authorization).toBe("Bearer sk-second");
    });

    await a.call(path, { method: "DELETE", token: admin.token });
    await waitFor(async () => expect((await chatAtB(user.token, model)).status).not.toBe(200));
    await Promise.all([first.close(), second.close()]);
  });
});

describe("while messages are lost", () => {
  test("while messages are lost, the other server uses an added backend after its next refresh", async () => {
    const job = b.platform.jobs.find(({ name }) => name === "read added backends while changes are not announced");
    const names = () => b.api.backends.registry.list().map(({ name }) => name);
    const add = (name: string) => {
      const body = { name, base_url: upstream.baseUrl, models: ["feather/demo"] };
      return a.call("/api/admin/backends", { token: admin.token, body });
    };
    await servers.disconnect();
    await servers.settled();
    await job?.run(); // after what earlier changes began to read
    await add("unheard");
    await servers.settled();
    expect(names()).not.toContain("unheard");
    await job?.run();
    expect(names()).toContain("unheard");
    await add("heard later");
    await servers.reconnect();
    await waitFor(() => expect(names()).toContain("heard later"));
    expect(job).toMatchObject({ everySeconds: 5, onEveryReplica: true });
  });

  test("while messages are lost, a changed price takes effect at the other server within five seconds, and immediately when they arrive again", async () => {
    const model = { key: "feather/demo", classId: "none", parameterSize: null };
    const priceAtB = async () => (await b.api.prices.priceBook.findPrice(model))?.prompt.replace(/0+$/, "");
    const change = (prompt: string) => {
      clock.at += SECOND_MS;
      const path = "/api/admin/base-models/feather/demo/prices";
      return a.call(path, { token: admin.token, body: { prompt, completion: "1" } });
    };
    await change("0.1");
    await servers.settled();
    expect(await priceAtB()).toBe("0.1");
    await servers.disconnect();
    await change("0.2");
    await servers.settled();
    expect(await priceAtB()).toBe("0.1");
    clock.at += 5 * SECOND_MS;
    expect(await priceAtB()).toBe("0.2");
    await change("0.3");
    await servers.settled();
    expect(await priceAtB()).toBe("0.2");
    await servers.reconnect();
    expect(await priceAtB()).toBe("0.3");
  });
});

describe("the same call to both servers at the same time", () => {
  test("the same call to both servers at the same time runs once with an Idempotency-Key, with the same answer from both", async () => {
    const headers = { "idempotency-key": `both ${user.userId}` };
    const answers = await atBoth("/api/api-keys", { token: user.token, body: { name: "ci" }, headers });
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    const keys = a.db.selectFrom("api_keys").selectAll().where("organization_id", "=", user.organizationId);
    expect(await keys.execute()).toHaveLength(1);
  });

  test("the same call to both servers at the same time uses a link once", async () => {
    await a.call("/api/auth/forgot-password", { body: { email: user.email } });
    await a.api.identity.passwordReset.settled();
    const token = await findMailedToken(a, user.email, "password_reset");
    const answers = await atBoth("/api/auth/reset-password", { body: { token, password: "two servers, one link" } });
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  describe("by an OAuth application", () => {
    let app: Application;
    const oauth = () => [createOAuthClient(a), createOAuthClient(b)] as const;
    beforeEach(async () => {
      app = await oauth()[0].register(user, { device_flow: true });
    });
    const twentyTimes = (ask: (oauth: ReturnType<typeof createOAuthClient>) => Promise<Answer>) => {
      const [atA, atB] = oauth();
      return Promise.all(Array.from({ length: 20 }, (_, index) => ask(index % 2 === 0 ? atA : atB)));
    };
    const ONCE = [200, ...Array<number>(19).fill(400)];

    test("calls to both servers at the same time redeem an authorization code once", async () => {
      const code = await oauth()[0].codeFor(user, app);
      expect(statuses(await twentyTimes((at) => at.redeem(app, code)))).toEqual(ONCE);
    });

    test("calls to both servers at the same time redeem a refresh token once, and its reuse at the other server ends the whole family", async () => {
      const [atA, atB] = oauth();
      const first = await atA.tokensFor(user, app);
      const answers = await twentyTimes((at) => at.refresh(app, first.refresh_token));
      expect(statuses(answers)).toEqual(ONCE);
      const second = await atA.tokensFor(user, app);
      const renewed = (await atA.refresh(app, second.refresh_token)).body as TokenBody;
      expect((await atB.userinfo(renewed.access_token)).status).toBe(200);
      expect((await atB.refresh(app, second.refresh_token)).status).toBe(400);
      expect((await atA.userinfo(renewed.access_token)).status).toBe(401);
    });

    test("calls to both servers at the same time give the tokens of a device code once", async () => {
      const { device_code, user_code } = (await oauth()[0].startDevice(app)).body as Record<string, string>;
      const decision = { user_code, decision: "approve" };
      await b.call("/api/oauth/device/verify", { token: user.token, body: decision });
      clock.at += 60 * SECOND_MS;
      const fields = { grant_type: DEVICE_GRANT, device_code: device_code ?? "" };
      expect(statuses(await twentyTimes((at) => at.token(app, fields)))).toEqual(ONCE);
    });

    test("tokens are refused by the other server once their grant is revoked", async () => {
      const [atA, atB] = oauth();
      const { access_token } = await atA.tokensFor(user, app);
      expect((await atB.userinfo(access_token)).status).toBe(200);
      const grants = await a.call("/api/account/authorizations", { token: user.token });
      const [grant] = (grants.body as { items: { id: string }[] }).items;
      await a.call(`/api/account/authorizations/${grant?.id}`, { method: "DELETE", token: user.token });
      expect((await atB.userinfo(access_token)).status).toBe(401);
    });
  });
});

describe("rate limits", () => {
  let limited: TwoServers;
  beforeAll(async () => {
    limited = await createTwoServers({ env: { FEATHER_RATE_LIMITS: "on" } });
  });
  afterAll(() => limited.close());

  test("rate limits count attempts to sign in at both servers together", async () => {
    const body = { email: "ada@example.com", password: "a wrong password" };
    const answers = [];
    for (let index = 0; index < 12; index++)
      answers.push(await (index % 2 === 0 ? limited.a : limited.b).call("/api/auth/login", { body }));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(590);
  });

  test("rate limits count guesses of a password by many clients at both servers together", async () => {
    const owner = await limited.a.signUp();
    const { db } = limited.a;
    for (let index = 0; index < 10; index++) {
      await db.deleteFrom("rate_limits").execute(); // as if each guess came from another address
      for (const server of [limited.a, limited.b])
        await server.call("/api/auth/login", { body: { email: owner.email, password: "a wrong password" } });
    }
    await db.deleteFrom("rate_limits").execute();
    const body = { email: owner.email, password: PASSWORD };
    expect([(await limited.a.call("/api/auth/login", { body })).status]).toEqual([429]);
    expect([(await limited.b.call("/api/auth/login", { body })).status]).toEqual([429]);
  });
});
