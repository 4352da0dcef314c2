import { type FakeUpstream, startFakeUpstream, type UpstreamScript } from "@feather/testing/fake-upstream";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";
import type { Backend, BackendSpec } from "./backends/registry.ts";

let server: TestServer;
let admin: Account;
let open: Account;
const upstreams: FakeUpstream[] = [];

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.signInAdmin();
  open = await server.signUpOnPlan({});
});
afterEach(async () => {
  await setOrder("balanced");
  await server.removeUpstreams();
  for (const { name } of server.api.backends.registry.list()) server.api.backends.registry.remove(name);
  await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
});
afterAll(() => server.close());

const ABILITIES = { tools: null, images: null, structuredOutput: null, reasoning: null };
const ROUTING = "/api/admin/routing";

const setOrder = (order: string) => server.call(ROUTING, { method: "PUT", token: admin.token, body: { order } });

type Facts = { price?: string; weight?: number; script?: UpstreamScript } & Pick<BackendSpec, "hosted" | "provider">;

/** Adds a backend. Prices are USD for a token. */
async function addBackend(name: string, { price, weight = 1, script = {}, ...spec }: Facts = {}): Promise<Backend> {
  const upstream = await startFakeUpstream(script);
  upstreams.push(upstream);
  const stated = price === undefined ? null : { prompt: price, completion: price, cachedPrompt: null };
  const { registry } = server.api.backends;
  registry.set({
    name,
    source: "settings",
    baseUrl: upstream.baseUrl,
    provider: name,
    weight,
    models: new Map([[MODEL, MODEL]]),
    places: new Map([[MODEL, { price: stated, quantization: null, abilities: ABILITIES }]]),
    ...spec,
  });
  return registry.list().find((backend) => backend.name === name) ?? expect.fail("not registered");
}

const chat = (more: object = {}) =>
  server.call("/v1/chat/completions", { token: open.token, body: createChatRequest(more) });
/** Returns the backend that answered. */
async function backendFor(more: object = {}) {
  const answer = await chat(more);
  expect(answer.status, answer.text).toBe(200);
  return (await server.usageRow(answer.headers.get("request-id")))?.backend;
}
const measured = (firstTokenMs: number, tokensPerSecond: number, measuredAt = Date.now()) => ({
  firstTokenMs,
  tokensPerSecond,
  measuredAt,
});

describe("the operator's order of backends", () => {
  test("is balanced at first, and is changed by administrators", async () => {
    const others = { own_key_fee_percent: 0, refuse_below_cost: false };
    expect((await server.call(ROUTING, { token: admin.token })).body).toEqual({ order: "balanced", ...others });
    expect((await setOrder("price")).body).toEqual({ order: "price", ...others });
    expect((await server.call(ROUTING, { token: admin.token })).body).toEqual({ order: "price", ...others });
    expect((await setOrder("beauty")).status).toBe(400);
    expect((await server.call(ROUTING, { method: "PUT", token: open.token, body: { order: "price" } })).status).toBe(
      404,
    );
  });

  test("balanced chooses by weight among idle backends", async () => {
    await addBackend("light", { price: "0" });
    await addBackend("heavy", { weight: 100 });
    expect(await backendFor()).toBe("heavy");
  });

  test("own_first chooses what answers here before what answers elsewhere, and the next when it fails", async () => {
    await addBackend("elsewhere", { hosted: "elsewhere", weight: 100 });
    await addBackend("here", { hosted: "here" });
    await setOrder("own_first");
    expect(await backendFor()).toBe("here");
    await addBackend("here", { hosted: "here", script: { fault: { kind: "refuse", status: 500 } } });
    expect(await backendFor()).toBe("elsewhere");
  });

  test("own_first shares calls among the backends here by their weights", async () => {
    await addBackend("elsewhere", { hosted: "elsewhere", weight: 1000 });
    await addBackend("small", { hosted: "here" });
    await addBackend("large", { hosted: "here", weight: 100 });
    await setOrder("own_first");
    expect(await backendFor()).toBe("large");
  });

  test("price chooses the backend that charges the least, and unknown prices last", async () => {
    await addBackend("unknown", { weight: 100 });
    await setOrder("price");
    expect(await backendFor()).toBe("unknown");
    await addBackend("dear", { price: "0.000009" });
    expect(await backendFor()).toBe("dear");
    await addBackend("cheap", { price: "0.000001" });
    expect(await backendFor()).toBe("cheap");
  });

  test("price leaves backends whose circuit is open behind all others", async () => {
    const cheap = await addBackend("cheap", { price: "0.000001" });
    await addBackend("dear", { price: "0.000009" });
    await setOrder("price");
    cheap.circuitOpenUntil = Date.now() + 60_000;
    expect(await backendFor()).toBe("dear");
    expect(await backendFor({ provider: { sort: "price" } })).toBe("dear");
  });

  test("latency and throughput choose by recent streams", async () => {
    const [slow, fast] = [await addBackend("slow", { weight: 100 }), await addBackend("fast")];
    slow.speeds.set(MODEL, measured(900, 200));
    fast.speeds.set(MODEL, measured(50, 20));
    await setOrder("latency");
    expect(await backendFor()).toBe("fast");
    await setOrder("throughput");
    expect(await backendFor()).toBe("slow");
  });

  test("latency finds out how fast a backend is that has not answered lately, with one call at a time", async () => {
    const fast = await addBackend("fast");
    const { promise: thinkUntil, resolve: answer } = Promise.withResolvers<void>();
    const unknown = await addBackend("unknown", { script: { thinkUntil } });
    fast.speeds.set(MODEL, measured(1, 100));
    unknown.speeds.set(MODEL, measured(1, 100, Date.now() - 3_600_000));
    await setOrder("latency");
    const first = chat({ stream: true });
    await waitFor(() => expect(unknown.inFlight).toBe(1));
    expect(await backendFor()).toBe("fast");
    answer();
    await first;
    expect(unknown.speeds.get(MODEL)?.measuredAt).toBeGreaterThan(Date.now() - 60_000);
    expect(await backendFor()).toBe("fast");
  });

  test("goes behind what the caller prefers", async () => {
    await addBackend("here", { hosted: "here", price: "0.000009" });
    await addBackend("elsewhere", { hosted: "elsewhere", price: "0.000001" });
    await setOrder("own_first");
    expect(await backendFor()).toBe("here");
    expect(await backendFor({ provider: { sort: "price" } })).toBe("elsewhere");
    expect(await backendFor({ provider: { order: ["elsewhere"] } })).toBe("elsewhere");
    expect(await backendFor({ provider: { ignore: ["groq"] } })).toBe("here");
  });

  test("holds for a call as it was when the call began", async () => {
    const { promise: thinkUntil, resolve: fail } = Promise.withResolvers<void>();
    const script: UpstreamScript = { thinkUntil, fault: { kind: "refuse", status: 500 } };
    const first = await addBackend("first", { hosted: "here", price: "0.000009", script });
    await addBackend("second", { hosted: "here", price: "0.000008" });
    await addBackend("cheap", { hosted: "elsewhere", price: "0.000001" });
    first.weight = 100;
    await setOrder("own_first");
    const running = backendFor();
    await waitFor(() => expect(first.inFlight).toBe(1));
    await setOrder("price");
    fail();
    expect(await running).toBe("second");
    expect(await backendFor()).toBe("cheap");
  });
});
