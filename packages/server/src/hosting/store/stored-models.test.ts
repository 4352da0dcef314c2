import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import { type FakeHub, startFakeHub } from "@feather/testing/fake-hub";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFakeEngines } from "../../testing/fake-engines.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { DEMO_MODEL_FILE } from "../runtimes/built-in-models.ts";

const GGUF = readFileSync(DEMO_MODEL_FILE);
const MODELS = "/api/admin/store/models";
const folder = mkdtempSync(join(tmpdir(), "stored-models-"));
const engines = createFakeEngines();
let hub: FakeHub;
let server: TestServer;
let admin: Account;
let ahead = 0;

beforeAll(async () => {
  hub = await startFakeHub(["a/one", "a/two"].map((id) => ({ id, files: { "model-q4_k_m.gguf": GGUF } })));
  const env = { FEATHER_HUB_URL: hub.baseUrl, FEATHER_DATA_DIR: folder };
  const clock = { now: () => new Date(Date.now() + ahead) };
  server = await createTestServer({ startEngine: engines.start, env, clock });
  admin = await server.signInAdmin();
});
afterAll(async () => {
  await server.close();
  await hub.close();
  engines.close();
  rmSync(folder, { recursive: true, force: true });
});

async function pull(model_id: string): Promise<void> {
  await server.call("/api/admin/store/pulls", { method: "POST", token: admin.token, body: { model_id } });
  await server.api.modelHost.pullRunner.waitUntilIdle();
}
const list = async () => ((await server.call(MODELS, { token: admin.token })).body as { items: object[] }).items;
const remove = (id: string, token = admin.token) => server.call(`${MODELS}/${id}`, { method: "DELETE", token });
const storedFiles = () => readdirSync(join(folder, "models")).filter((name) => name.endsWith(".gguf"));
const tierOf = async (id: string) => {
  const { body } = await server.call(`/api/feather/models/${id}`);
  return (body as { availability: { tier: string } }).availability.tier;
};

test("downloaded models are listed with their files", async () => {
  await pull("a/one");
  expect(await list()).toEqual([
    {
      model_id: "a/one",
      organization_id: null,
      repository: "a/one",
      file: "model-q4_k_m.gguf",
      quantization: "Q4_K_M",
      bytes: GGUF.length,
      parameter_size: expect.any(Number),
      is_loaded: false,
      is_pinned: false,
      created_at: expect.any(String),
      last_used_at: null,
    },
  ]);
});

test("a deleted model is offline, and its file is deleted with the last model that uses it", async () => {
  await pull("a/two");
  expect(storedFiles()).toHaveLength(1);
  expect((await remove("A/One")).status).toBe(204);
  expect(await list()).toMatchObject([{ model_id: "a/two" }]);
  expect([storedFiles().length, await tierOf("a/one"), await tierOf("a/two")]).toEqual([1, "offline", "cold"]);
  expect((await remove("a/two")).status).toBe(204);
  expect(storedFiles()).toEqual([]);
  const { body } = await server.call("/api/admin/audit?action=store.delete", { token: admin.token });
  expect((body as { items: { target: string }[] }).items.map(({ target }) => target)).toEqual(["a/two", "a/one"]);
});

test("deleting a model that was not downloaded is answered with 404", async () => {
  for (const id of ["feather/demo", "Qwen/Qwen3-8B", "a/none"]) {
    const answer = await remove(id);
    expect([answer.status, errorCode(answer.body)]).toEqual([404, "store.model_not_found"]);
  }
});

test("a model that a deployment runs is not deleted", async () => {
  await pull("a/one");
  const { organizationId } = await server.signUp();
  await server.db
    .insertInto("deployments")
    .values({
      id: "dep_1",
      organization_id: organizationId,
      name: "bot",
      provider_id: "local",
      region: "here",
      instance_type: "cpu",
      model_id: "a/one",
      min_replicas: 0,
      max_replicas: 1,
      visibility: "private",
      autoscale_metric: "pending_requests",
      autoscale_target: 1,
      created_at: new Date(),
      updated_at: new Date(),
    })
    .execute();
  const answer = await remove("a/one");
  expect([answer.status, errorCode(answer.body)]).toEqual([409, "store.model_deployed"]);
  expect(storedFiles()).toHaveLength(1);
});

test("downloaded models are for admins", async () => {
  const { token } = await server.signUp();
  expect((await server.call(MODELS, { token })).status).toBe(404);
  expect((await remove("a/one", token)).status).toBe(404);
});

describe("a pinned model", () => {
  const ID = "a/one";
  const pin = (pinned: boolean, id = ID, token = admin.token) =>
    server.call(`${MODELS}/${id}`, { method: "PUT", token, body: { pinned } });
  const auditOf = async () =>
    (await server.db.selectFrom("audit_log").select("action").where("target", "=", ID).orderBy("at").execute()).map(
      ({ action }) => action,
    );

  test("a pinned model is loaded at once, stays loaded without calls, and is loaded again after a restart", async () => {
    await pull(ID);
    expect(await pin(true, "A/One")).toMatchObject({
      status: 200,
      body: { model_id: ID, is_pinned: true, is_loaded: true },
    });
    await expect.poll(() => tierOf(ID)).toBe("warm");
    ahead += 24 * 3_600_000;
    await server.runJob("unload idle models");
    expect(await tierOf(ID)).toBe("warm");
    const other = server.createOtherPlatform().api.modelHost;
    await other.start();
    await expect.poll(() => other.host.isWarm(ID)).toBe(true);
    await other.stop();
  });

  test("a pinned model stays pinned when its file is replaced", async () => {
    hub.add({ id: ID, files: { "model-q8_0.gguf": Buffer.concat([GGUF, Buffer.from("newer")]) } });
    await pull(ID);
    expect(await list()).toContainEqual(expect.objectContaining({ file: "model-q8_0.gguf", is_pinned: true }));
    await expect.poll(() => tierOf(ID)).toBe("warm");
  });

  test("a pinned model is unloaded after its idle time once it is unpinned, and keeps running until then", async () => {
    expect(await pin(false)).toMatchObject({ status: 200, body: { is_pinned: false, is_loaded: true } });
    expect(await tierOf(ID)).toBe("warm");
    ahead += 24 * 3_600_000;
    await server.runJob("unload idle models");
    await expect.poll(() => tierOf(ID)).toBe("cold");
  });

  test("a pinned model is audited when something changes, and unknown models are refused", async () => {
    await pin(false);
    expect((await auditOf()).filter((action) => action.includes("pin"))).toEqual(["store.pin", "store.unpin"]);
    const answer = await pin(true, "a/none");
    expect([answer.status, errorCode(answer.body)]).toEqual([404, "store.model_not_found"]);
    expect((await pin(true, ID, (await server.signUp()).token)).status).toBe(404);
  });
});
