import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing/server.ts";
import { createEnsureModels } from "./ensure-models.ts";

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

const contextOf = async (id: string) => {
  const { body } = await server.call(`/v1/models/${id}`);
  return (body as { context_length: number | null }).context_length;
};

test("a model found on a backend has the backend's context length, also after it changes", async () => {
  const adopt = createEnsureModels(server.db, server.platform.clock, () => {});
  await adopt(["acme/Tiny", "acme/silent"], new Map([["acme/Tiny", 4_096]]));
  expect([await contextOf("acme/Tiny"), await contextOf("acme/silent")]).toEqual([4_096, 8_192]);
  await adopt(["acme/Tiny"], new Map([["acme/Tiny", 2_048]]));
  expect(await contextOf("acme/Tiny")).toBe(2_048);
});

test("a model of the catalogue keeps its own context", async () => {
  const before = await contextOf("Qwen/Qwen3-32B");
  await createEnsureModels(server.db, server.platform.clock, () => {})(
    ["Qwen/Qwen3-32B"],
    new Map([["Qwen/Qwen3-32B", 512]]),
  );
  expect(await contextOf("Qwen/Qwen3-32B")).toBe(before);
});
