import { startHttpServer } from "@feather/testing/http-server";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Backend, BackendSpec } from "../../gateway/index.ts";
import { createChatRequest, errorOf, MODEL } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

let server: TestServer;
let admin: Account;
let counter = 0;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.signInAdmin();
});
afterEach(async () => {
  await setRules({ order: "balanced", own_key_fee_percent: 0, refuse_below_cost: false });
  for (const { name } of server.api.backends.registry.list()) server.api.backends.registry.remove(name);
});
afterAll(() => server.close());

const ABILITIES = { tools: null, images: null, structuredOutput: null, reasoning: null };
type PlacePrice = NonNullable<NonNullable<ReturnType<NonNullable<Backend["places"]>["get"]>>["price"]>;
const PRICE: PlacePrice = { prompt: "0.000002", completion: "0.000004", cachedPrompt: "0.0000005" };

/** Adds a backend of a provider with a price in USD per token. It answers with 100 tokens, 40 of 100 of the prompt from a cache. */
async function addProvider(
  name: string,
  price: PlacePrice | null,
  more: Partial<BackendSpec> & { status?: number } = {},
) {
  const { status = 200, ...spec } = more;
  const provider = await startHttpServer((_, response) => {
    const usage = { prompt_tokens: 100, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 40 } };
    const choices = [{ index: 0, message: { role: "assistant", content: name }, finish_reason: "stop" }];
    const body = status === 200 ? { choices, usage } : { error: { message: "no" } };
    return response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  onTestFinished(() => provider.close());
  server.api.backends.registry.set({
    name,
    source: "settings",
    baseUrl: `${provider.url}/v1`,
    provider: "groq",
    hosted: "elsewhere",
    weight: 1,
    models: new Map([[MODEL, MODEL]]),
    places: new Map([[MODEL, { price, quantization: null, abilities: ABILITIES }]]),
    ...spec,
  });
  return provider;
}

const setRules = (body: object) => server.call("/api/admin/routing", { method: "PUT", token: admin.token, body });
const chat = ({ token }: Account) =>
  server.call("/v1/chat/completions", { token, body: createChatRequest({ max_tokens: 50 }) });

/** Returns an account on a metered plan with 10 USD. */
async function createMetered(): Promise<Account> {
  const account = await server.signUpOnPlan({ billing_mode: "request_pricing" });
  const grant = { kind: "grant", description: "test", reference: `test:${++counter}` } as const;
  await server.api.credits.credits.grant(account.organizationId, 10_000_000_000n, grant);
  return account;
}

async function setPrice(prompt: string, completion: string): Promise<void> {
  const price = { id: `price_floor_${++counter}`, scope: "model", target: MODEL, prompt, completion } as const;
  const now = new Date(Date.now() - 10_000 + counter);
  await server.api.prices.pricesRepository.add(
    { ...price, image: "0", request: "0", effective_at: now, created_at: now },
    server.db,
  );
  server.api.prices.priceBook.invalidate();
}

type Row = { group: Record<string, string> } & Record<
  "cost_nano_usd" | "provider_cost_nano_usd" | "margin_nano_usd",
  string
> & { request_count: number; unknown_cost_count: number };
async function reportOf({ organizationId }: Account, group_by: string[] = ["organization"]): Promise<Row[]> {
  await server.api.gateway.usageWriter.flush();
  const groups = [...new Set(["organization", ...group_by])];
  const end = Math.ceil(Date.now() / 1000) + 1;
  const { body } = await server.call("/api/admin/usage", {
    token: admin.token,
    body: { start: end - 60, end, group_by: groups },
  });
  return (body as { items: Row[] }).items.filter(({ group }) => group.organization === organizationId);
}

describe("the admin's report of usage", () => {
  test("has what providers charge, with tokens from their caches, beside what was charged, and the margin", async () => {
    await addProvider("groq", PRICE);
    await setPrice("0.000003", "0.000005");
    const metered = await createMetered();
    expect((await chat(metered)).status).toBe(200);
    const atProvider = 60 * 2_000 + 40 * 500 + 100 * 4_000;
    const charged = 100 * 3_000 + 100 * 5_000;
    expect(await reportOf(metered)).toMatchObject([
      {
        cost_nano_usd: String(charged),
        provider_cost_nano_usd: String(atProvider),
        margin_nano_usd: String(charged - atProvider),
        unknown_cost_count: 0,
      },
    ]);
  });

  test("counts the calls of flat plans as cost without a charge, by model and month", async () => {
    await addProvider("groq", PRICE);
    const flat = await server.signUpOnPlan({});
    await chat(flat);
    await chat(flat);
    const month = new Date().toISOString().slice(0, 7);
    expect(await reportOf(flat, ["month", "model"])).toMatchObject([
      {
        group: { month, model: MODEL },
        request_count: 2,
        provider_cost_nano_usd: "1080000",
        margin_nano_usd: "-1080000",
      },
    ]);
  });

  test("counts calls at unknown prices, and no cost for failed calls and for servers of one's own", async () => {
    const unknown = await server.signUpOnPlan({});
    await addProvider("groq", null);
    await chat(unknown);
    server.api.backends.registry.remove("groq");
    await addProvider("own", null, { provider: null, hosted: "here" });
    await chat(unknown);
    expect(await reportOf(unknown)).toMatchObject([
      { request_count: 2, provider_cost_nano_usd: "0", unknown_cost_count: 1 },
    ]);
    server.api.backends.registry.remove("own");
    const failing = await server.signUpOnPlan({});
    await addProvider("failing", PRICE, { status: 400 });
    expect((await chat(failing)).status).toBe(400);
    expect(await reportOf(failing)).toMatchObject([{ provider_cost_nano_usd: "0", unknown_cost_count: 0 }]);
  });

  test("keeps the costs of an organization that is deleted", async () => {
    await addProvider("groq", PRICE);
    const account = await server.signUpOnPlan({});
    await chat(account);
    await server.api.gateway.usageWriter.flush();
    const sum = async () =>
      server.db
        .selectFrom("usage_hours")
        .select((eb) => [
          eb.fn.sum<string>("provider_cost_nano_usd").as("cost"),
          eb.fn.sum<string>("unknown_cost_requests").as("unknown"),
        ])
        .executeTakeFirstOrThrow();
    const before = await sum();
    await server.db
      .transaction()
      .execute((trx) => server.api.usage.anonymizeOrganizationsUsage([account.organizationId], trx));
    expect(await sum()).toEqual(before);
    expect(await reportOf(account)).toEqual([]);
  });
});

describe("where calls below cost are refused", () => {
  test("a metered call goes to the backends that charge no more than the price", async () => {
    const dear = await addProvider("dear", { ...PRICE, completion: "0.000006" });
    const fair = await addProvider("fair", { ...PRICE, completion: "0.000005" });
    await setPrice("0.000003", "0.000005");
    await setRules({ order: "balanced", refuse_below_cost: true });
    const metered = await createMetered();
    for (let call = 0; call < 4; call++) expect((await chat(metered)).status).toBe(200);
    expect([dear.requests.length, fair.requests.length]).toEqual([0, 4]);
  });

  test("a metered call for which no backend is left is refused before it is sent, and charged nothing", async () => {
    const dear = await addProvider("dear", { ...PRICE, completion: "0.000006" });
    await setPrice("0.000003", "0.000005");
    await setRules({ order: "balanced", refuse_below_cost: true });
    const metered = await createMetered();
    const refused = await chat(metered);
    expect([refused.status, errorOf(refused.body).code]).toEqual([503, "price_below_cost"]);
    const preflight = await server.call("/v1/preflight", { token: metered.token, body: { model: MODEL } });
    expect(preflight.body).toMatchObject({ admitted: false, refusal: { status: 503, code: "price_below_cost" } });
    expect(dear.requests).toHaveLength(0);
    expect(await server.api.credits.credits.balance(metered.organizationId)).toMatchObject({ reserved: 0n });
    await setRules({ order: "balanced", refuse_below_cost: false });
    expect((await chat(metered)).status).toBe(200);
  });

  test("calls of flat plans and calls at unknown prices are answered", async () => {
    await setPrice("0.000003", "0.000005");
    await setRules({ order: "balanced", refuse_below_cost: true });
    await addProvider("dear", { ...PRICE, completion: "0.000006" });
    expect((await chat(await server.signUpOnPlan({}))).status).toBe(200);
    server.api.backends.registry.remove("dear");
    await addProvider("silent", null);
    expect((await chat(await createMetered())).status).toBe(200);
  });
});
