import { afterAll, beforeAll, expect, test } from "vitest";
import { createFakeEngines } from "../../testing/fake-engines.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const engines = createFakeEngines();
const ID = "acme/sees";
let server: TestServer;
let admin: Account;

beforeAll(async () => {
  server = await createTestServer({ startEngine: engines.start });
  admin = await server.signInAdmin();
  const row = { id: ID, id_lower: ID, owned_by: "acme", name: "sees", model_class_id: "qwen3-8b", source: "catalogue" };
  await server.db
    .insertInto("models")
    .values({ ...row, parameter_size: 1e9, input_modalities: ["text", "image"] })
    .execute();
});
afterAll(async () => {
  await server.close();
  engines.close();
});

/** Returns for each page and list of models whether it states that the model reads images. */
async function claims(): Promise<boolean[]> {
  const { token } = admin;
  const page = (await server.call(`/api/feather/models/${encodeURIComponent(ID)}`, { token })).body as Claims;
  const model = (await server.call(`/v1/models/${ID}`, { token })).body as Claims & { architecture: Claims };
  return [
    page.features?.image_input === true,
    ...[page, model, model.architecture].map(({ input_modalities }) => input_modalities.includes("image")),
  ];
}
type Claims = { input_modalities: string[]; features?: { image_input: boolean } };
const hosted = { file: "/sees.gguf", fileName: "sees.gguf", size: 1, contextLength: 512, bytesPerToken: 1 };

test("a model is said to read images unless it runs on llama.cpp here alone", async () => {
  const { host } = server.api.modelHost;
  expect(await claims()).toEqual([true, true, true, true]);
  host.register({ id: ID, ...hosted });
  expect(await claims()).toEqual([false, false, false, false]);
  await host.unregister(ID);
  host.register({ id: ID, ...hosted, runtime: "vllm" });
  expect(await claims()).toEqual([true, true, true, true]);
  await host.unregister(ID);
  host.register({ id: ID, ...hosted });
  await server.addUpstream({}, [ID]);
  expect(await claims()).toEqual([true, true, true, true]);
});
