import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import type { FakeHub } from "@feather/testing/fake-hub";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GGUF, type ModelStoreServer, PULLS, startModelStore } from "../../testing/model-store.ts";
import type { Account, TestServer } from "../../testing/server.ts";
import { createArchitectureCheck } from "../runtimes/llama-cpp/architecture-check.ts";

let store: ModelStoreServer;
let hub: FakeHub;
let server: TestServer;
let admin: Account;

beforeAll(async () => {
  store = await startModelStore({
    isKnownArchitecture: createArchitectureCheck({ warn: () => {} }, { state: "off" }),
    env: { FEATHER_MODEL_MEMORY: "4000" },
  });
  ({ hub, server, admin } = store);
});
afterAll(() => store.stop());

/** Returns the demonstration model with another architecture name of the same length. */
function renameArchitecture(name: string): Buffer {
  const copy = Buffer.from(GGUF);
  const key = Buffer.from("general.architecture");
  copy.write(name, copy.indexOf(key) + key.length + 4 + 8);
  return copy;
}
const pull = (model_id: string) => store.pull({ model_id });
const MESSAGE = /have the architecture zzzzz, which the llama\.cpp of this server does not know/;

test("a model of an architecture that llama.cpp does not know is refused before it is downloaded", async () => {
  hub.add({ id: "acme/odd", ggufArchitecture: "zzzzz", files: { "odd-Q8_0.gguf": GGUF } });
  const refused = await pull("acme/odd");
  expect([refused.status, errorCode(refused.body)]).toEqual([422, "store.unknown_architecture"]);
  expect((refused.body as { message: string }).message).toMatch(MESSAGE);
  const { body } = await server.call("/api/admin/store/files?model_id=acme/odd", { token: admin.token });
  expect(body).toMatchObject({ chosen: null, reason: expect.stringMatching(MESSAGE) });
  expect(await server.db.selectFrom("store_pulls").select("id").execute()).toEqual([]);
});

test("a model of a known architecture is not refused", async () => {
  hub.add({ id: "acme/even", ggufArchitecture: "llama", files: { "even-Q8_0.gguf": GGUF } });
  expect((await pull("acme/even")).status).toBe(202);
  await server.api.modelHost.pullRunner.waitUntilIdle();
});

test("a download whose file turns out to have an unknown architecture fails with its name, and leaves no file", async () => {
  hub.add({ id: "acme/hidden", files: { "hidden-Q8_0.gguf": renameArchitecture("zzzzz") } });
  const { body } = await pull("acme/hidden");
  await server.api.modelHost.pullRunner.waitUntilIdle();
  const listed = await server.call(PULLS, { token: admin.token });
  const found = (listed.body as { items: { id: string }[] }).items.find(({ id }) => id === (body as { id: string }).id);
  expect(found).toMatchObject({ state: "failed", error: expect.stringMatching(MESSAGE) });
  expect(await server.api.modelHost.files.findModel("acme/hidden", null)).toBeUndefined();
  expect(readdirSync(join(store.folder, "models")).filter((name) => name.endsWith(".gguf"))).toHaveLength(1);
});
