import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, MODEL } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

let server: TestServer;
let admin: Account;
let open: Account;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.signInAdmin();
  open = await server.signUpOnPlan({});
});
afterEach(async () => {
  await setOrder("balanced");
  await server.removeUpstreams();
  for (const { name } of server.api.backends.registry.list()) server.api.backends.registry.remove(name);
});
afterAll(() => server.close());

const ABILITIES = { tools: null, images: null, structuredOutput: null, reasoning: null };
const USAGE = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 };

const setOrder = (order: string) =>
  server.call("/api/admin/routing", { method: "PUT", token: admin.token, body: { order } });

type Place = { provider?: string; price?: string; baseUrl?: string; weight?: number };

/** Adds a place that states these prices in USD for a token of the prompt; one of the answer costs twice as much. */
function addPlace(name: string, { provider, price, baseUrl = "https://models.example/v1", weight = 0.1 }: Place) {
  const stated =
    price === undefined ? null : { prompt: price, completion: String(Number(price) * 2), cachedPrompt: "0" };
  server.api.backends.registry.set({
    name,
    source: "settings",
    baseUrl,
    provider: provider ?? null,
    hosted: provider === undefined ? "here" : "elsewhere",
    weight,
    models: new Map([[MODEL, MODEL]]),
    places: new Map([[MODEL, { price: stated, quantization: null, abilities: ABILITIES }]]),
  });
}

type Receipt = { id: string; place: string; chosen_by: string | null; place_costs?: object[] };
async function receiptOf(more: object = {}, account = open) {
  const answer = await server.call("/v1/chat/completions", { token: account.token, body: createChatRequest(more) });
  await server.api.gateway.usageWriter.flush();
  const path = `/api/usage/requests/${answer.headers.get("request-id")}`;
  return (await server.call(path, { token: account.token })).body as Receipt;
}

describe("the receipt of a request", () => {
  test("says what its tokens would cost at each place that states a price, the cheapest first", async () => {
    const upstream = await server.addUpstream({ usage: USAGE });
    addPlace("groq-a", { provider: "groq", price: "0.000002" });
    addPlace("groq-b", { provider: "groq", price: "0.000001" });
    addPlace("together", { provider: "together", price: "0.000003" });
    addPlace("silent", { provider: "fireworks" });
    addPlace("box", { baseUrl: "http://10.0.0.5:8000/v1", price: "0.000001" });
    const receipt = await receiptOf();
    expect(upstream.recordedRequests).toHaveLength(1);
    expect(receipt).toMatchObject({
      place: "server",
      place_costs: [
        { place: "server", name: "This server", cost_nano_usd: "0" },
        { place: "groq", name: "Groq", cost_nano_usd: "1400000" },
        { place: "together", name: "Together", cost_nano_usd: "4200000" },
      ],
    });
  });

  test("leaves out places where the calls of the organization may not go", async () => {
    await server.addUpstream({ usage: USAGE }, [MODEL], 1, { hosted: "here" });
    addPlace("groq", { provider: "groq", price: "0.000002" });
    const kept = await server.signUpOnPlan({});
    const body = { calls_elsewhere: false };
    await server.call("/api/organization", { method: "PUT", token: kept.token, body });
    expect((await receiptOf({}, kept)).place_costs).toMatchObject([{ place: "server" }]);
  });

  test("has costs of places only where it is asked for alone", async () => {
    await server.addUpstream({ usage: USAGE });
    const { id } = await receiptOf();
    const { body } = await server.call("/api/usage/activity/requests", { token: open.token });
    const listed = (body as { items: Receipt[] }).items.find((item) => item.id === id);
    expect(listed).toMatchObject({ chosen_by: "only" });
    expect(listed).not.toHaveProperty("place_costs");
  });

  test("says by what the place was chosen", async () => {
    await server.addUpstream({});
    expect(await receiptOf()).toMatchObject({ chosen_by: "only" });
    addPlace("groq", { provider: "groq", price: "0.000002" });
    expect(await receiptOf()).toMatchObject({ chosen_by: "balanced" });
    await setOrder("price");
    expect(await receiptOf()).toMatchObject({ chosen_by: "price" });
    expect(await receiptOf({ provider: { sort: "price" } })).toMatchObject({ chosen_by: "caller" });
    expect(await receiptOf({ provider: { only: ["server"] } })).toMatchObject({ chosen_by: "caller" });
    expect(await receiptOf({ provider: { allow_fallbacks: true } })).toMatchObject({ chosen_by: "price" });
  });

  test("says no choice when nothing has answered", async () => {
    await server.addUpstream({ fault: { kind: "refuse", status: 500 } });
    expect(await receiptOf()).toMatchObject({ place: null, chosen_by: null, place_costs: [] });
  });
});
