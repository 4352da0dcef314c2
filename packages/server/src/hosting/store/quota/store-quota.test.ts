import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import { type FakeHub, startFakeHub } from "@feather/testing/fake-hub";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { createFakeEngines } from "../../../testing/fake-engines.ts";
import { type Account, createTestServer, type TestServer } from "../../../testing/server.ts";
import { DEMO_MODEL_FILE } from "../../runtimes/built-in-models.ts";

const GGUF = readFileSync(DEMO_MODEL_FILE);
const PULLS = "/api/admin/store/pulls";
const engines = createFakeEngines();
let hub: FakeHub;
let server: TestServer;
let folder = "";
let admin: Account;

/** Returns a GGUF file with unique content. The header states its length, so other bytes may follow. */
const variant = (name: string) => Buffer.concat([GGUF, Buffer.from(name.padEnd(16))]);
const SIZE = variant("").length;
/** Space for two and a half files. */
const MAX_GIGABYTES = (2.5 * SIZE) / 1e9;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "store-quota-"));
  const names = ["a/one", "a/two", "a/three"];
  hub = await startFakeHub(
    names.map((id) => ({ id, files: { "README.md": `# ${id}`, "model-q4_k_m.gguf": variant(id) } })),
  );
  hub.add({ id: "a/large", files: { "README.md": "# Large", "large-q4_k_m.gguf": Buffer.concat([GGUF, GGUF, GGUF]) } });
  const env = { FEATHER_HUB_URL: hub.baseUrl, FEATHER_DATA_DIR: folder, FEATHER_STORE_MAX: String(MAX_GIGABYTES) };
  server = await createTestServer({ startEngine: engines.start, env });
  admin = await server.signInAdmin();
});
afterEach(async () => {
  await server.close();
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => engines.close());

async function pull(model_id: string) {
  const answer = await server.call(PULLS, { method: "POST", token: admin.token, body: { model_id } });
  await server.api.modelHost.pullRunner.waitUntilIdle();
  return answer;
}
const storedModels = async () => {
  const rows = await server.db.selectFrom("store_files").select("model_id").orderBy("model_id").execute();
  return rows.map(({ model_id }) => model_id);
};
const tierOf = async (id: string) => {
  const { body } = await server.call(`/api/feather/models/${id}`);
  return (body as { availability: { tier: string } }).availability.tier;
};

test("a download that does not fit deletes the model that was not called for the longest time", async () => {
  await pull("a/one");
  await pull("a/two");
  expect(await storedModels()).toEqual(["a/one", "a/two"]);
  const lastUse = (minute: number) => new Date(Date.now() + minute * 60_000);
  await server.db
    .updateTable("store_files")
    .set({ last_used_at: lastUse(2) })
    .where("model_id", "=", "a/one")
    .execute();
  expect((await pull("a/three")).status).toBe(202);
  expect(await storedModels()).toEqual(["a/one", "a/three"]);
  expect([await tierOf("a/two"), await tierOf("a/three")]).toEqual(["offline", "cold"]);
});

test("a file that is larger than the space is refused before it is downloaded", async () => {
  await pull("a/one");
  const answer = await pull("a/large");
  expect([answer.status, errorCode(answer.body)]).toEqual([409, "store.quota_full"]);
  expect(await storedModels()).toEqual(["a/one"]);
});

test("models that are loaded or deployed are not deleted", async () => {
  await pull("a/one");
  await pull("a/two");
  const user = await server.signUpOnPlan({ concurrency: 8 });
  const body = { model: "a/one", messages: [{ role: "user", content: "hello" }] };
  await waitFor(async () => {
    const { status } = await server.call("/v1/chat/completions", { method: "POST", token: user.token, body });
    expect(status).toBe(200);
  });
  await server.db
    .insertInto("deployments")
    .values({
      id: "dep_1",
      organization_id: user.organizationId,
      name: "bot",
      provider_id: "local",
      region: "here",
      instance_type: "cpu",
      model_id: "a/two",
      min_replicas: 0,
      max_replicas: 1,
      visibility: "private",
      autoscale_metric: "pending_requests",
      autoscale_target: 1,
      created_at: new Date(),
      updated_at: new Date(),
    })
    .execute();
  const answer = await pull("a/three");
  expect([answer.status, errorCode(answer.body)]).toEqual([409, "store.quota_full"]);
  expect(await storedModels()).toEqual(["a/one", "a/two"]);
});

test("pinned models are not deleted", async () => {
  await pull("a/one");
  await pull("a/two");
  for (const id of ["a/one", "a/two"]) {
    const path = `/api/admin/store/models/${id}`;
    await server.call(path, { method: "PUT", token: admin.token, body: { pinned: true } });
    await server.api.modelHost.host.unload(id);
  }
  const answer = await pull("a/three");
  expect([answer.status, errorCode(answer.body)]).toEqual([409, "store.quota_full"]);
  await server.call("/api/admin/store/models/a/two", { method: "PUT", token: admin.token, body: { pinned: false } });
  expect((await pull("a/three")).status).toBe(202);
  expect(await storedModels()).toEqual(["a/one", "a/three"]);
});

test("the last call of a model is recorded, so that it counts after a restart", async () => {
  await pull("a/one");
  const user = await server.signUpOnPlan({ concurrency: 8 });
  const body = { model: "a/one", messages: [{ role: "user", content: "hello" }] };
  await waitFor(async () => {
    const { status } = await server.call("/v1/chat/completions", { method: "POST", token: user.token, body });
    expect(status).toBe(200);
  });
  await server.runJob("record the use of models");
  const { last_used_at } = await server.db.selectFrom("store_files").select("last_used_at").executeTakeFirstOrThrow();
  expect(last_used_at).toBeInstanceOf(Date);
});
