import { formatEvent } from "@feather/testing/chat-events";
import { createTestClock } from "@feather/testing/clock";
import { type HttpServer, startHttpServer } from "@feather/testing/http-server";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { BackendSpec } from "../../gateway/index.ts";
import { createChatRequest, errorOf, MODEL } from "../../testing/chat.ts";
import type { Account, TestServer } from "../../testing/server.ts";
import { createTwoServers, type TwoServers } from "../../testing/two-servers.ts";

const clock = createTestClock("2026-05-01T12:00:00Z");
const PROVIDERS = ["openrouter", "groq", "together"];
let servers: TwoServers;
let server: TestServer;
let admin: Account;
/** An organization on a flat plan, and another one without keys. */
let owner: Account;
let other: Account;

beforeAll(async () => {
  servers = await createTwoServers({ clock });
  server = servers.a;
  admin = await server.signInAdmin();
  owner = await server.signUpOnPlan({ concurrency: null });
  other = await server.signUpOnPlan({ concurrency: null });
});
afterEach(async () => {
  await server.db.deleteFrom("provider_keys").execute();
  await setRules({ order: "balanced", own_key_fee_percent: 0 });
  for (const { registry } of [servers.a.api.backends, servers.b.api.backends])
    for (const { name } of registry.list()) registry.remove(name);
  await servers.settled();
});
afterAll(() => servers.close());

/** What a provider answers to a key, other than 200. */
type KeyAnswer = { status: number; message?: string; headers?: Record<string, string> };

/** Starts a provider whose answers depend on the key; their text is the key. */
async function startProvider(answers: Record<string, KeyAnswer> = {}) {
  const provider = await startHttpServer(({ headers }, response) => {
    const key = String(headers.authorization).replace("Bearer ", "");
    const { status, message, headers: answered = {} } = answers[key] ?? { status: 200 };
    const body =
      status === 200
        ? {
            choices: [{ index: 0, message: { role: "assistant", content: key }, finish_reason: "stop" }],
            usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
          }
        : { error: { message } };
    return response.writeHead(status, { "content-type": "application/json", ...answered }).end(JSON.stringify(body));
  });
  onTestFinished(() => provider.close());
  return provider;
}

type Place = Partial<Pick<BackendSpec, "ownKeys" | "hosted" | "weight" | "keys">>;

/** Adds a backend of a provider with the operator's key to both servers. */
function addBackend(provider: string, { url }: HttpServer, place: Place = {}) {
  for (const { registry } of [servers.a.api.backends, servers.b.api.backends])
    registry.set({
      name: provider,
      source: "settings",
      baseUrl: `${url}/v1`,
      provider,
      weight: 1,
      models: new Map([[MODEL, MODEL]]),
      apiKey: "operator",
      ownKeys: "allowed",
      ...place,
    });
}

const setRules = (body: object) => server.call("/api/admin/routing", { method: "PUT", token: admin.token, body });
const keyPath = (provider: string) => `/api/organization/provider-keys/${provider}`;
async function setKey(provider: string, key: string, account = owner): Promise<void> {
  const answer = await server.call(keyPath(provider), { method: "PUT", token: account.token, body: { key } });
  expect(answer.status, answer.text).toBe(200);
}
const removeKey = (provider: string) => server.call(keyPath(provider), { method: "DELETE", token: owner.token });
const refusalOf = async (provider: string, account = owner) => {
  const { body } = await server.call("/api/organization/provider-keys", { token: account.token });
  const { items } = body as { items: { provider: string; refusal: string | null; refused_at: string | null }[] };
  return items.find((item) => item.provider === provider);
};
const chat = (more: object = {}, account = owner, on: Pick<TestServer, "call"> = server) =>
  on.call("/v1/chat/completions", { token: account.token, body: createChatRequest({ max_tokens: 50, ...more }) });
/** Returns the keys with which a provider was called, in order. */
const calledWith = ({ requests }: HttpServer) => requests.map(({ headers }) => String(headers.authorization).slice(7));
const receiptOf = async (answer: { headers: Headers }, account = owner) => {
  await server.api.gateway.usageWriter.flush();
  const path = `/api/usage/requests/${answer.headers.get("request-id")}`;
  return (await server.call(path, { token: account.token })).body;
};
const stateOf = (name: string) => server.api.backends.registry.list().find((backend) => backend.name === name);

describe("calls of an organization with its own key", () => {
  test("are sent with it, and those of other organizations with the operator's", async () => {
    const provider = await startProvider();
    addBackend("openrouter", provider);
    await setKey("openrouter", "own-of-owner");
    expect(await receiptOf(await chat())).toMatchObject({ own_key: true, own_key_fee_percent: null });
    expect(await receiptOf(await chat({}, other), other)).toMatchObject({ own_key: false, cost_nano_usd: "0" });
    expect(calledWith(provider)).toEqual(["own-of-owner", "operator"]);
  });

  test("are sent with the operator's key to backends that take no keys of organizations", async () => {
    const provider = await startProvider();
    addBackend("openrouter", provider);
    await setKey("openrouter", "own");
    addBackend("openrouter", provider, { ownKeys: "off" });
    expect(await receiptOf(await chat())).toMatchObject({ own_key: false });
    expect(calledWith(provider)).toEqual(["operator"]);
  });

  test("go to its provider first, unless the call or the operator's order says otherwise", async () => {
    const [own, cheap] = [await startProvider(), await startProvider()];
    addBackend("together", cheap, { weight: 100, hosted: "here" });
    addBackend("openrouter", own);
    await setKey("openrouter", "own");
    expect(await receiptOf(await chat())).toMatchObject({ place: "openrouter" });
    expect(await receiptOf(await chat({ provider: { order: ["together"] } }))).toMatchObject({ place: "together" });
    await setRules({ order: "own_first" });
    expect(await receiptOf(await chat())).toMatchObject({ place: "together", own_key: false });
  });

  test("use another key of it at once on every replica, while running streams go on with the one before", async () => {
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    onTestFinished(() => finish());
    const chunk = (delta: object, finish_reason: string | null) =>
      formatEvent({ choices: [{ index: 0, delta, finish_reason }] });
    const provider = await startHttpServer(async (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(chunk({ content: "Hello" }, null));
      await finished;
      return response.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
    });
    onTestFinished(() => provider.close());
    addBackend("openrouter", provider);
    await setKey("openrouter", "first");
    await servers.settled();
    const streams = [chat({ stream: true }), chat({ stream: true }, owner, servers.b)];
    await waitFor(() => expect(calledWith(provider)).toEqual(["first", "first"]));
    await setKey("openrouter", "second");
    await servers.settled();
    streams.push(chat({ stream: true }), chat({ stream: true }, owner, servers.b));
    await waitFor(() => expect(calledWith(provider).slice(2)).toEqual(["second", "second"]));
    await removeKey("openrouter");
    await servers.settled();
    streams.push(chat({ stream: true }), chat({ stream: true }, owner, servers.b));
    await waitFor(() => expect(calledWith(provider).slice(4)).toEqual(["operator", "operator"]));
    finish();
    for (const { status, text } of await Promise.all(streams))
      expect([status, text]).toEqual([200, expect.stringContaining("[DONE]")]);
  });
});

describe("an own key that the provider refuses", () => {
  test.each([
    ["wrong or expired", { status: 401, message: "invalid key" }, "It does not accept the key (status 401)."],
    [
      "without credit",
      { status: 402, message: "pay" },
      "The account has no credit left, or has reached its limit of spending (status 402).",
    ],
    [
      "whose quota is gone",
      { status: 429, message: "insufficient_quota" },
      "The account has no credit left, or has reached its limit of spending (status 429).",
    ],
    ["without permission", { status: 403, message: "no access" }, "The key may not do this (status 403)."],
  ])("%s fails the call in words, and is noted on the key", async (_what, answer, error) => {
    const provider = await startProvider({ own: answer });
    addBackend("openrouter", provider);
    await setKey("openrouter", "own");
    const refused = await chat();
    expect([refused.status, errorOf(refused.body)]).toMatchObject([
      403,
      {
        code: "own_key_refused",
        message: expect.stringContaining(`OpenRouter refused your organization's own key: ${error}`),
      },
    ]);
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect(calledWith(provider)).toEqual(["own"]);
    await waitFor(async () =>
      expect(await refusalOf("openrouter")).toMatchObject({ refusal: error, refused_at: clock.now().toISOString() }),
    );
  });

  test("for its limit of requests is answered with 429 and the provider's time", async () => {
    const provider = await startProvider({
      own: { status: 429, message: "slow down", headers: { "retry-after": "7" } },
    });
    addBackend("openrouter", provider);
    await setKey("openrouter", "own");
    const refused = await chat();
    expect([refused.status, errorOf(refused.body).code]).toEqual([429, "rate_limit_exceeded"]);
    expect(errorOf(refused.body).message).toContain("your organization's own key");
    expect(refused.headers.get("retry-after")).toBe("7");
  });

  test("counts neither against the backend nor against the operator's keys", async () => {
    const provider = await startProvider({ own: { status: 401, message: "invalid key" } });
    addBackend("openrouter", provider);
    await setKey("openrouter", "own");
    for (let call = 0; call < 5; call++) expect((await chat()).status).toBe(403);
    expect(stateOf("openrouter")).toMatchObject({ failures: 0, lastError: null, inFlight: 0 });
    expect(stateOf("openrouter")?.keys.list).toMatchObject([{ rest: null, inFlight: 0 }]);
    expect((await chat({}, other)).status).toBe(200);
  });

  test("passes the call on to another provider only if the organization has a key there too", async () => {
    const [refusing, paid] = [
      await startProvider({ own: { status: 401, message: "invalid key" } }),
      await startProvider(),
    ];
    addBackend("openrouter", refusing);
    addBackend("groq", paid, { weight: 0.1 });
    await setKey("openrouter", "own");
    expect((await chat()).status).toBe(403);
    expect(calledWith(paid)).toEqual([]);
    await setKey("groq", "own-of-groq");
    const provider = { order: ["openrouter", "groq"] };
    expect(await receiptOf(await chat({ provider }))).toMatchObject({ place: "groq", own_key: true });
    expect(calledWith(paid)).toEqual(["own-of-groq"]);
  });

  test("is recognized at a backend without keys of the operator", async () => {
    const provider = await startProvider({ own: { status: 401, message: "invalid key" } });
    addBackend("openrouter", provider, { ownKeys: "required", keys: [] });
    await setKey("openrouter", "own");
    expect(errorOf((await chat()).body).code).toBe("own_key_refused");
  });

  test("works again with the next call after the account was repaired", async () => {
    const answers: Record<string, KeyAnswer> = { own: { status: 402, message: "pay" } };
    const provider = await startProvider(answers);
    addBackend("openrouter", provider);
    await setKey("openrouter", "own");
    expect((await chat()).status).toBe(403);
    delete answers.own;
    expect((await chat()).status).toBe(200);
  });
});

describe("a backend that requires keys of organizations", () => {
  test("does not exist for organizations without one, who read where to set it", async () => {
    const provider = await startProvider();
    addBackend("openrouter", provider, { ownKeys: "required" });
    const refused = await chat({}, other);
    expect([refused.status, errorOf(refused.body)]).toMatchObject([
      403,
      { code: "own_key_required", param: "model", details: { providers: ["openrouter"] } },
    ]);
    expect(errorOf(refused.body).message).toContain("Organization > Provider keys");
    expect(calledWith(provider)).toEqual([]);
    await setKey("openrouter", "own");
    expect((await chat()).status).toBe(200);
    expect(calledWith(provider)).toEqual(["own"]);
  });

  test("leaves calls of organizations without a key to other backends", async () => {
    const [required, open] = [await startProvider(), await startProvider()];
    addBackend("openrouter", required, { ownKeys: "required", weight: 100 });
    addBackend("groq", open);
    expect(await receiptOf(await chat({}, other), other)).toMatchObject({ place: "groq" });
    expect(calledWith(required)).toEqual([]);
  });

  test("is named by the preflight check too", async () => {
    addBackend("openrouter", await startProvider(), { ownKeys: "required" });
    const check = async () =>
      (await server.call("/api/v1/preflight", { token: owner.token, body: { model: MODEL } })).body;
    expect(await check()).toMatchObject({ admitted: false, refusal: { status: 403, code: "own_key_required" } });
    await setKey("openrouter", "own");
    expect(await check()).toMatchObject({ admitted: true, refusal: null });
  });
});

describe("a call with an own key on a metered plan", () => {
  const PRICE = 1_000_000_000n;
  const CREDITS = 1_500_000_000n;

  /** Signs up an organization with credits, by default for one call and a half, at a price of one dollar for a call. */
  async function paying(creditsNano = CREDITS): Promise<Account> {
    const account = await server.signUpOnPlan({ billing_mode: "request_pricing", concurrency: null });
    const nothing = { prompt: "0", completion: "0", image: "0", audio_second: "0", character: "0" };
    clock.at += 1_000;
    await server.api.prices.pricesRepository.add(
      {
        ...{ id: `price_${clock.at}`, scope: "model", target: MODEL, ...nothing, request: "1" },
        ...{ effective_at: clock.now(), created_at: clock.now() },
      },
      server.db,
    );
    server.api.prices.priceBook.invalidate();
    const event = { kind: "top_up", description: "Top-up", reference: `test:${clock.at}` } as const;
    await server.api.credits.credits.grant(account.organizationId, creditsNano, event);
    return account;
  }
  const balanceOf = async ({ organizationId }: Account) => server.api.credits.credits.balance(organizationId);

  test.each([
    [0, 0n],
    [5, 50_000_000n],
    [12.34, 123_400_000n],
    [100, PRICE],
  ])("costs the fee of %s percent, which the receipt states", async (percent, cost) => {
    addBackend("openrouter", await startProvider());
    await setRules({ order: "balanced", own_key_fee_percent: percent });
    const account = await paying();
    await setKey("openrouter", "own", account);
    expect(await receiptOf(await chat({}, account), account)).toMatchObject({
      ...{ own_key: true, own_key_fee_percent: percent, cost_nano_usd: String(cost), cost_status: "final" },
      price: { request: "1" },
    });
    expect(await balanceOf(account)).toMatchObject({ reserved: 0n, available: CREDITS - cost });
  });

  test("reserves only the fee where every backend uses the own key, and the price otherwise", async () => {
    addBackend("openrouter", await startProvider());
    await setRules({ order: "balanced", own_key_fee_percent: 10 });
    const account = await paying(PRICE / 5n);
    await setKey("openrouter", "own", account);
    expect((await chat({}, account)).status).toBe(200);
    addBackend("groq", await startProvider());
    const refused = await chat({}, account);
    expect([refused.status, errorOf(refused.body).code]).toEqual([402, "insufficient_credits"]);
  });

  test("costs the whole price when another backend answers with the operator's key", async () => {
    addBackend("openrouter", await startProvider({ own: { status: 500, message: "broken" } }));
    addBackend("groq", await startProvider());
    const account = await paying();
    await setKey("openrouter", "own", account);
    expect(await receiptOf(await chat({}, account), account)).toMatchObject({
      ...{ place: "groq", own_key: false, own_key_fee_percent: null, cost_nano_usd: String(PRICE) },
    });
  });
});

test("every provider of these tests is known", async () => {
  for (const provider of PROVIDERS) addBackend(provider, await startProvider());
  const { body } = await server.call("/api/organization/provider-keys", { token: owner.token });
  expect((body as { providers: { id: string }[] }).providers.map(({ id }) => id).sort()).toEqual(PROVIDERS.toSorted());
});
