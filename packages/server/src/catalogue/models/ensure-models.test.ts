import { afterAll, beforeAll, expect, test } from "vitest";
import type { FoundModel } from "../../gateway/index.ts";
import { createTestServer, type TestServer } from "../../testing/server.ts";
import { createEnsureModels } from "./ensure-models.ts";

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

const found = (id: string, facts: Partial<FoundModel> = {}): FoundModel => ({
  id,
  contextLength: null,
  parameterSize: null,
  ...facts,
});
const ensure = (...models: FoundModel[]) =>
  createEnsureModels(server.db, server.platform.clock, server.api.catalogue.callableModels.invalidate)(models);
const factsOf = async (id: string, token?: string) => {
  const { body } = await server.call(`/v1/models/${id}`, token === undefined ? {} : { token });
  return body as { context_length: number; concurrency_cost: number; parameter_size: number; model_class: string };
};

test("a model found on a backend has the backend's context length, also after it changes", async () => {
  await ensure(found("acme/Tiny", { contextLength: 4_096 }), found("acme/silent"));
  expect((await factsOf("acme/Tiny")).context_length).toBe(4_096);
  expect((await factsOf("acme/silent")).context_length).toBeNull();
  await ensure(found("acme/Tiny", { contextLength: 2_048 }));
  expect((await factsOf("acme/Tiny")).context_length).toBe(2_048);
});

test.each([
  ["acme/small", 8e9, 1],
  ["acme/middle", 20e9, 2],
  ["acme/large", 70e9, 4],
  ["acme/mystery", null, 4],
  ["acme/named-70b", null, 4],
  ["acme/named-7b", null, 1],
])("%s with %s reported parameters takes %s units", async (id, parameterSize, units) => {
  await ensure(found(id, { parameterSize }));
  expect(await factsOf(id)).toMatchObject({ concurrency_cost: units });
});

test("a model takes the units of its size as soon as that is reported", async () => {
  await ensure(found("acme/later"));
  expect(await factsOf("acme/later")).toMatchObject({ concurrency_cost: 4, model_class: "unknown" });
  await ensure(found("acme/later", { parameterSize: 3e9 }));
  expect(await factsOf("acme/later")).toMatchObject({ concurrency_cost: 1, parameter_size: 3e9 });
  await ensure(found("acme/later"));
  expect(await factsOf("acme/later")).toMatchObject({ concurrency_cost: 1, parameter_size: 3e9 });
});

test("a size that is not reported is taken from the first name of the model that has one, also later", async () => {
  await ensure(found("acme/alias"), found("acme/tiny-135M", { names: ["/models/other-7B.gguf"] }));
  expect(await factsOf("acme/tiny-135M")).toMatchObject({ parameter_size: 135e6 });
  expect(await factsOf("acme/alias")).toMatchObject({ parameter_size: null });
  await ensure(found("acme/alias", { names: ["folder-70B/alias.gguf", "C:\\models\\gemma-3-270m.gguf"] }));
  expect(await factsOf("acme/alias")).toMatchObject({ parameter_size: 270e6, concurrency_cost: 1 });
  await ensure(found("acme/alias", { parameterSize: 8e9 }), found("acme/alias", { names: ["alias-70B"] }));
  expect(await factsOf("acme/alias")).toMatchObject({ parameter_size: 8e9 });
});

test("a size that an administrator enters decides the units, and is not overwritten", async () => {
  const { token } = await server.signInAdmin();
  await ensure(found("acme/entered"));
  const body = { parameter_size: 3e9 };
  expect((await server.call("/api/admin/models/acme/entered", { method: "PUT", token, body })).status).toBe(200);
  await ensure(found("acme/entered", { parameterSize: 70e9 }));
  expect(await factsOf("acme/entered")).toMatchObject({ concurrency_cost: 1, parameter_size: 3e9 });
});

test("a model of the catalogue keeps its own context and size", async () => {
  const before = await factsOf("Qwen/Qwen3-32B");
  await ensure(found("Qwen/Qwen3-32B", { contextLength: 512, parameterSize: 1e9 }));
  const { context_length, parameter_size, concurrency_cost } = before;
  expect(await factsOf("Qwen/Qwen3-32B")).toMatchObject({ context_length, parameter_size, concurrency_cost });
});

test("a model that only a provider has comes into the catalogue with what the provider says of it", async () => {
  const abilities = { tools: true, images: true, structuredOutput: null, reasoning: true };
  const description = "The largest model of Acme.";
  await ensure(found("acme/frontier", { abilities, description, inputModalities: ["text", "image"] }));
  const { body } = await server.call("/api/feather/models/acme/frontier");
  expect(body).toMatchObject({
    description,
    features: { tool_use: true, image_input: true, reasoning: true },
    input_modalities: ["text", "image"],
  });
});

test("what a provider says of a model later is added, and another that says less takes nothing away", async () => {
  const abilities = { tools: true, images: null, structuredOutput: null, reasoning: null };
  const read = async () => (await server.call("/api/feather/models/acme/silent-at-first")).body;
  await ensure(found("acme/silent-at-first"));
  expect(await read()).toMatchObject({ description: "A backend has it; the catalogue knows no more of it." });
  await ensure(found("acme/silent-at-first", { abilities, description: "It speaks." }));
  await ensure(found("acme/silent-at-first", { description: "Another text." }));
  expect(await read()).toMatchObject({ description: "It speaks.", features: { tool_use: true } });
});

test("adds more models than one statement of the database takes", async () => {
  const ids = Array.from({ length: 7_000 }, (_, index) => `many/model-${index}`);
  const canonical = await ensure(...ids.map((id) => found(id, { inputModalities: ["text", "image"] })));
  expect(canonical.size).toBe(7_000);
  const stored = server.db.selectFrom("models").select("input_modalities").where("owned_by", "=", "many");
  expect(new Set((await stored.execute()).map(({ input_modalities }) => input_modalities.join()))).toEqual(
    new Set(["text,image"]),
  );
});

test("looks up more models than one statement of the database takes", async () => {
  await ensure(found("acme/often"));
  const canonical = await ensure(...Array.from({ length: 100_000 }, () => found("Acme/Often")));
  expect([...canonical]).toEqual([["Acme/Often", "acme/often"]]);
});
