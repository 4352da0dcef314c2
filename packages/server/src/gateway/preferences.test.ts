import { type FakeUpstream, startFakeUpstream } from "@feather/testing/fake-upstream";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";
import type { BackendSpec } from "./backends/registry.ts";

let server: TestServer;
let open: Account;
const upstreams: FakeUpstream[] = [];

beforeAll(async () => {
  server = await createTestServer();
  open = await server.signUpOnPlan({});
});
afterEach(async () => {
  await server.removeUpstreams();
  await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
});
afterAll(() => server.close());

const ABILITIES = { tools: null, images: null, structuredOutput: null, reasoning: null };

/** Adds a backend of a provider. Prices are USD for a token. */
async function addPlace(
  provider: string,
  facts: { price?: string; quantization?: string; tools?: boolean; weight?: number; fails?: boolean } = {},
) {
  const upstream = await startFakeUpstream(facts.fails ? { fault: { kind: "refuse", status: 500 } } : {});
  upstreams.push(upstream);
  const { price, quantization = null, tools = null, weight = 1 } = facts;
  const stated = {
    price: price === undefined ? null : { prompt: price, completion: price, cachedPrompt: null },
    quantization,
    abilities: { ...ABILITIES, tools },
  };
  const spec: BackendSpec = {
    name: provider,
    source: "settings",
    baseUrl: upstream.baseUrl,
    provider,
    weight,
    models: new Map([[MODEL, MODEL]]),
    places: new Map([[MODEL, stated]]),
  };
  server.api.backends.registry.set(spec);
  return server.api.backends.registry.list().find(({ name }) => name === provider) ?? expect.fail("not registered");
}

const chat = (provider: object | null, more: object = {}) =>
  server.call("/v1/chat/completions", { token: open.token, body: createChatRequest({ provider, ...more }) });
/** Returns the place that answered. */
async function placeFor(provider: object | null, more: object = {}) {
  const answer = await chat(provider, more);
  if (answer.status !== 200) return errorOf(answer.body).code;
  return (await server.usageRow(answer.headers.get("request-id")))?.backend;
}

describe("a caller's preferences of places", () => {
  test("choose among places by their ids", async () => {
    await addPlace("groq", { weight: 100 });
    await addPlace("together");
    expect(await placeFor(null)).toBe("groq");
    expect(await placeFor({ only: ["together"] })).toBe("together");
    expect(await placeFor({ ignore: ["groq"] })).toBe("together");
    expect(await placeFor({ order: ["together"] })).toBe("together");
    expect(await placeFor({ only: ["server"] })).toBe("no_matching_place");
    const refused = errorOf((await chat({ only: ["server"] })).body);
    expect(refused).toMatchObject({ param: "provider", details: { places: ["groq", "together"] } });
  });

  test("are in the receipt, which says where the call was answered", async () => {
    await addPlace("groq");
    await server.addUpstream({});
    for (const place of ["groq", "server"]) {
      const answer = await chat({ only: [place] });
      await server.api.gateway.usageWriter.flush();
      const receipt = await server.call(`/api/usage/requests/${answer.headers.get("request-id")}`, {
        token: open.token,
      });
      expect(receipt.body).toMatchObject({ place });
    }
  });

  test("send nothing of themselves to the backend", async () => {
    await addPlace("groq");
    const answer = await chat({ only: ["groq"] });
    expect(upstreams[0]?.recordedRequests[0]?.body).not.toHaveProperty("provider");
    expect(answer.headers.get("x-ignored-params")).toBeNull();
  });

  test("go on to another place when the preferred one fails, unless that is not allowed", async () => {
    await addPlace("groq", { fails: true, weight: 100 });
    await addPlace("together");
    expect(await placeFor({ order: ["groq"] })).toBe("together");
    expect(await placeFor({ order: ["groq"], allow_fallbacks: false })).toBe("upstream_error");
    expect(await placeFor({ ignore: ["together"], allow_fallbacks: false })).toBe("upstream_error");
  });

  test("sort places by what they charge, unknown prices last", async () => {
    await addPlace("unknown", { weight: 100 });
    await addPlace("dear", { price: "0.000009", weight: 10 });
    await addPlace("cheap", { price: "0.000001" });
    expect(await placeFor({ sort: "price" })).toBe("cheap");
    expect(await placeFor({ sort: "price", ignore: ["cheap"] })).toBe("dear");
    expect(await placeFor({ max_price: { prompt: 2 } })).toBe("cheap");
    expect(await placeFor({ max_price: { completion: 0.5 } })).toBe("no_matching_place");
  });

  test("sort places by how fast they have answered lately, unknown speeds last", async () => {
    const [slow, fast] = [await addPlace("slow", { weight: 10 }), await addPlace("fast")];
    await addPlace("unknown", { weight: 100 });
    slow.speeds.set(MODEL, { firstTokenMs: 900, tokensPerSecond: 200, measuredAt: Date.now() });
    fast.speeds.set(MODEL, { firstTokenMs: 50, tokensPerSecond: 20, measuredAt: Date.now() });
    expect(await placeFor({ sort: "latency" })).toBe("fast");
    expect(await placeFor({ sort: "throughput" })).toBe("slow");
  });

  test("choose places by the format of their weights, and by whether they call tools", async () => {
    await addPlace("groq", { quantization: "FP4", tools: false, weight: 100 });
    await addPlace("together", { quantization: "BF16", tools: true });
    expect(await placeFor({ quantizations: ["bf16"] })).toBe("together");
    expect(await placeFor({ quantizations: ["fp8"] })).toBe("no_matching_place");
    const tools = [{ type: "function", function: { name: "look", parameters: { type: "object" } } }];
    expect(await placeFor({ require_parameters: true }, { tools })).toBe("together");
    expect(await placeFor({ require_parameters: true }, { mirostat: 2 })).toBe("unsupported_parameter");
  });

  test("are kept for each of several models", async () => {
    await addPlace("groq", { weight: 100 });
    const other = await server.addUpstream({}, ["Qwen/Qwen3-0.6B"]);
    const answer = await chat({ only: ["server"] }, { models: ["Qwen/Qwen3-0.6B"] });
    expect(answer.headers.get("x-models-passed-over")).toBe(`${MODEL}=no_matching_place`);
    expect(other.recordedRequests).toHaveLength(1);
  });

  test.each([
    ["data_collection", { data_collection: "deny" }],
    ["zdr", { zdr: true }],
    ["an unknown order", { sort: "beauty" }],
    ["a price of a picture", { max_price: { image: 1 } }],
  ])("are refused when they ask for %s, of which nothing is known", async (_what, provider) => {
    await addPlace("groq");
    const answer = await chat(provider);
    expect([answer.status, errorOf(answer.body).param?.split(".")[0]]).toEqual([400, "provider"]);
  });
});

test("streams measure how soon and how fast a backend answers", async () => {
  const upstream = await startFakeUpstream({ delayMs: 150, tokens: ["a", "b", "c", "d"] });
  upstreams.push(upstream);
  const models = new Map([[MODEL, MODEL]]);
  const spec: BackendSpec = { name: "measured", source: "settings", baseUrl: upstream.baseUrl, weight: 1, models };
  server.api.backends.registry.set(spec);
  await chat(null, { stream: true });
  const measured = server.api.backends.registry.list().find(({ name }) => name === "measured");
  expect(measured?.speeds.get(MODEL)).toEqual({
    firstTokenMs: expect.any(Number),
    tokensPerSecond: expect.any(Number),
    measuredAt: expect.any(Number),
  });
});
