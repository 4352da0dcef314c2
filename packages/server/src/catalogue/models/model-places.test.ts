import { afterAll, beforeAll, expect, test } from "vitest";
import type { BackendSpec } from "../../gateway/index.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const MODEL = "Qwen/Qwen3-32B";
const FACTS: NonNullable<BackendSpec["places"]> = new Map([
  [
    MODEL,
    {
      price: {
        prompt: "0.0000001",
        completion: "0.0000003",
        cachedPrompt: null,
        image: "0.04",
        audioSecond: "0.0001",
        character: "0.000015",
      },
      quantization: "FP8",
      abilities: { tools: true, images: null, structuredOutput: false, reasoning: null },
    },
  ],
]);
type Detail = { hosted: string[]; places: Record<string, unknown>[] };

let server: TestServer;
let admin: Account;
let user: Account;
beforeAll(async () => {
  server = await createTestServer({ env: { FEATHER_OUTGOING_ALLOW: "127.0.0.1" } });
  admin = await server.signInAdmin();
  user = await server.signUp();
});
afterAll(() => server.close());

const read = async (path: string, token?: string) =>
  (await server.call(path, token === undefined ? {} : { token })).body as Detail & { items: { id: string }[] };
const addBackend = (name: string, baseUrl: string, others: Partial<BackendSpec> = {}) =>
  server.api.backends.registry.set({
    name,
    source: "admin",
    baseUrl,
    weight: 1,
    models: new Map([[MODEL, "model"]]),
    ...others,
  });
const addProvider = () =>
  addBackend("secret-account", "https://bedrock-mantle.eu-central-1.api.aws/v1", {
    places: FACTS,
    contextLengths: new Map([[MODEL, 131_072]]),
    answerLimits: new Map([[MODEL, 16_384]]),
  });
const addOwn = () => addBackend("rack-7", "http://10.0.0.7:8000/v1", { hosted: "here", places: FACTS });
const removeAll = () => {
  for (const { name } of server.api.backends.registry.list()) server.api.backends.registry.remove(name);
};

test("a model's page has the provider with its region and what it says, without the name of the backend", async () => {
  addProvider();
  const model = await read(`/api/feather/models/${MODEL}`);
  expect(model.hosted).toEqual(["elsewhere"]);
  expect(model.places).toEqual([
    {
      kind: "provider",
      name: "AWS Bedrock",
      provider: "bedrock",
      hosted: "elsewhere",
      location: "chosen",
      region: "eu-central-1",
      state: "warm",
      price: {
        prompt: "0.0000001",
        completion: "0.0000003",
        cached_prompt: null,
        input: 0.1,
        output: 0.3,
        cached_input: null,
        image: "0.04",
        audio_second: "0.0001",
        character: "0.000015",
      },
      context_length: 131_072,
      max_completion_tokens: 16_384,
      quantization: "FP8",
      abilities: { tools: true, images: null, structured_output: false, reasoning: null },
    },
  ]);
  removeAll();
});

test("people see that a server of the operator runs a model, and only admins its name and price", async () => {
  addOwn();
  const [place] = (await read(`/v1/models/${MODEL}`, user.token)).places;
  expect(place).toMatchObject({
    kind: "network",
    name: "A server of the operator",
    provider: null,
    hosted: "here",
    price: null,
  });
  expect(JSON.stringify(place)).not.toMatch(/rack-7|10\.0/);
  const [seen] = (await read(`/v1/models/${MODEL}`, admin.token)).places;
  expect(seen).toMatchObject({ backend: "rack-7", price: { input: 0.1 } });
  removeAll();
});

test("a model that two backends have is hosted here and elsewhere, and lists hold only that", async () => {
  addProvider();
  addOwn();
  const model = await read(`/v1/models/${MODEL}`);
  expect(model.hosted).toEqual(["here", "elsewhere"]);
  expect(model.places.map(({ kind }) => kind).toSorted()).toEqual(["network", "provider"]);
  const { data } = (await server.call("/v1/models?q=qwen3-32b")).body as unknown as { data: object[] };
  expect(data[0]).toMatchObject({ id: MODEL, hosted: ["here", "elsewhere"] });
  expect(data[0]).not.toHaveProperty("places");
  removeAll();
});

test("a model that nothing runs has no places", async () => {
  expect(await read(`/api/feather/models/${MODEL}`)).toMatchObject({ hosted: [], places: [] });
});

test("a place is offline while its backend gets no calls after failures, and gone once an admin disables it", async () => {
  const body = { name: "gpu", base_url: "http://127.0.0.1:1/v1", models: [MODEL] };
  const { id } = (await server.call("/api/admin/backends", { token: admin.token, body })).body as { id: string };
  const backend = server.api.backends.registry.list().find(({ name }) => name === "gpu");
  if (!backend) throw new Error("The backend was not registered.");
  for (let failures = 0; failures < 3; failures++) server.api.backends.registry.recordFailure(backend, "down");
  expect((await read(`/v1/models/${MODEL}`)).places).toMatchObject([
    { kind: "server", hosted: "here", state: "offline" },
  ]);
  const change = { method: "PUT", token: admin.token, body: { enabled: false } };
  expect((await server.call(`/api/admin/backends/${id}`, change)).status).toBe(200);
  expect((await read(`/v1/models/${MODEL}`)).places).toEqual([]);
});

test("the catalogue is filtered by where models can be called, and counts both", async () => {
  addProvider();
  addBackend("rack-8", "http://10.0.0.8:8000/v1", { hosted: "here", models: new Map([["Qwen/Qwen3-8B", "small"]]) });
  const list = async (query: string) => (await read(`/api/feather/models?${query}`)).items.map(({ id }) => id);
  expect(await list("hosted=elsewhere")).toEqual([MODEL]);
  expect(await list("hosted=here")).toEqual(["Qwen/Qwen3-8B"]);
  expect((await list("hosted=here,elsewhere")).toSorted()).toEqual([MODEL, "Qwen/Qwen3-8B"]);
  const { facets } = (await server.call("/api/feather/models?facets=1&hosted=here")).body as unknown as {
    facets: Record<string, { value: string; count: number }[]>;
  };
  expect(facets.hosted).toEqual([
    { value: "here", label: "Runs here", count: 1 },
    { value: "elsewhere", label: "Elsewhere", count: 1 },
  ]);
  removeAll();
});

test.each([
  [true, true],
  [false, false],
  [null, false],
])("a model holds answers to a schema if its backend states it: %s", async (structuredOutput, expected) => {
  const abilities = { tools: null, images: null, structuredOutput, reasoning: null };
  addBackend("stating", "https://models.example.com/v1", {
    places: new Map([[MODEL, { price: null, quantization: null, abilities }]]),
  });
  const { body } = await server.call(`/api/feather/models/${MODEL}`, { token: user.token });
  expect(body).toMatchObject({ features: { json_mode: expected } });
  server.api.backends.registry.remove("stating");
});
