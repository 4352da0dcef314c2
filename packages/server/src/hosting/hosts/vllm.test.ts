import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import { FAKE_VLLM_COMMAND, type FakeSafetensorsModel, writeSafetensorsModel } from "@feather/testing/fake-vllm";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { createFakeEngines } from "../../testing/fake-engines.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import type { VllmState } from "../runtimes/index.ts";

const GIGABYTE = 1024 ** 3;
const PULLS = "/api/admin/store/pulls";
const MODEL = "acme/support";

const engines = createFakeEngines();
afterAll(() => engines.close());
let folder: string;
let server: TestServer;
let admin: Account;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vllm-models-"));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

type StartOptions = FakeSafetensorsModel & { vllm?: VllmState; maxStoreBytes?: number };
const vllmOn = (gigabytes = 80): VllmState => {
  const gpu = { name: "A card", totalBytes: gigabytes * GIGABYTE, freeBytes: gigabytes * GIGABYTE };
  return { state: "on", command: FAKE_VLLM_COMMAND, gpu };
};

/** Starts a server with a hub that has one model in safetensors files. */
async function startServer({ vllm = vllmOn(), maxStoreBytes, ...fake }: StartOptions = {}): Promise<void> {
  writeSafetensorsModel(join(folder, "hub", MODEL), fake);
  const env = {
    FEATHER_HUB_DIR: join(folder, "hub"),
    FEATHER_DATA_DIR: join(folder, "data"),
    ...(maxStoreBytes !== undefined && { FEATHER_STORE_MAX: String(maxStoreBytes / 1e9) }),
  };
  server = await createTestServer({
    env,
    vllm,
    startEngine: engines.start,
    gpus: vllm.state === "on" ? [vllm.gpu] : [],
  });
  admin = await server.signInAdmin();
  await server.api.modelHost.start();
}

const pull = (model_id = MODEL) => server.call(PULLS, { token: admin.token, body: { model_id } });
const listPulls = async () => ((await server.call(PULLS, { token: admin.token })).body as { items: object[] }).items;
const listModels = async () =>
  ((await server.call("/api/admin/store/models", { token: admin.token })).body as { items: object[] }).items;
/** Returns the GPU memory and the programs that run models, as an administrator reads them. */
async function readHost() {
  const { body } = await server.call("/api/admin/model-host", { token: admin.token });
  const { gpu, graphics_cards, models } = body as {
    gpu: object;
    graphics_cards: object[];
    models: { model_id: string }[];
  };
  return { gpu, cards: graphics_cards, model: models.find(({ model_id }) => model_id === MODEL) };
}

async function pullAndWait(): Promise<void> {
  expect((await pull()).status).toBe(202);
  await expect.poll(async () => (await listPulls())[0]).toMatchObject({ state: "done" });
  await server.api.modelHost.pullRunner.waitUntilIdle(); // until then, it takes no other look at the row
}

async function chat(wait: number, fields: object = {}) {
  const { secret } = await server.createKey(admin);
  return server.call("/api/v1/chat/completions", {
    token: secret,
    headers: { "x-wait-for-model": String(wait) },
    body: { model: MODEL, messages: [{ role: "user", content: "Hello" }], ...fields },
  });
}

test("a model in safetensors files is downloaded whole, runs with vLLM when it is called, and is listed with its memory", async () => {
  await startServer();
  const files = await server.call(`/api/admin/store/files?model_id=${MODEL}`, { token: admin.token });
  const file = "model-00001-of-00002.safetensors";
  expect(files.body).toMatchObject({ repository: MODEL, chosen: file, reason: null, files: [{ file, fits: true }] });
  await pullAndWait();
  expect(readdirSync(join(folder, "data/models/repositories/acme--support/folder")).toSorted()).toEqual([
    "config.json",
    "model-00001-of-00002.safetensors",
    "model-00002-of-00002.safetensors",
  ]);
  expect(await listModels()).toMatchObject([{ model_id: MODEL, bytes: 2000, parameter_size: 1000, is_loaded: false }]);
  const answer = await chat(60);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("vLLM says hello")]);
  expect(await readHost()).toMatchObject({
    gpu: { memory_bytes: Math.floor(72 * GIGABYTE) },
    cards: [{ name: "A card", memory_bytes: 80 * GIGABYTE, free_bytes: 80 * GIGABYTE }],
    model: { runtime: "vllm", state: "warm", reason: null, context_length: 4096 },
  });
});

test("a model of a family whose tokens it lacks is streamed, without a parser that vLLM could not make", async () => {
  await startServer({ modelType: "llama" });
  await pullAndWait();
  const { status, text } = await chat(60, { stream: true });
  expect([status, text]).toEqual([200, expect.stringContaining("vLLM says hello")]);
});

test("a model of vLLM is known after a restart, and its files are deleted with it", async () => {
  await startServer();
  await pullAndWait();
  const { modelHost: restarted } = server.createOtherPlatform().api;
  await restarted.start();
  expect(restarted.host.find(MODEL)).toMatchObject({ runtime: "vllm", toolParser: "hermes" });
  await restarted.stop();
  const { status } = await server.call(`/api/admin/store/models/${MODEL}`, { method: "DELETE", token: admin.token });
  expect([status, await listModels()]).toEqual([204, []]);
  expect(existsSync(join(folder, "data/models/repositories/acme--support"))).toBe(false);
  expect(server.api.modelHost.host.find(MODEL)).toBeNull();
});

test("a model of vLLM that is pinned is loaded at once, and stays pinned when it is downloaded again", async () => {
  await startServer();
  await pullAndWait();
  const path = `/api/admin/store/models/${MODEL}`;
  const answer = await server.call(path, { method: "PUT", token: admin.token, body: { pinned: true } });
  expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ model_id: MODEL, is_pinned: true })]);
  await expect.poll(readHost).toMatchObject({ model: { state: "warm" } });
  await pullAndWait();
  expect(await listModels()).toMatchObject([{ model_id: MODEL, is_pinned: true }]);
  expect(server.api.modelHost.host.find(MODEL)).toMatchObject({ pinned: true });
});

test("the first file with weights stands for all where a file is named", async () => {
  await startServer();
  const body = { model_id: MODEL, file: "model-00001-of-00002.safetensors" };
  expect((await server.call(PULLS, { token: admin.token, body })).status).toBe(202);
  await expect.poll(listPulls).toMatchObject([{ state: "done" }]);
  expect(await listModels()).toMatchObject([{ model_id: MODEL, bytes: 2000 }]);
});

test("without vLLM a model in safetensors files is refused before its download, with the reason", async () => {
  await startServer({ vllm: { state: "not_installed", reason: "vLLM is not installed here." } });
  for (const answer of [
    await pull(),
    await server.call(`/api/admin/store/files?model_id=${MODEL}`, { token: admin.token }),
  ]) {
    expect([answer.status, errorCode(answer.body)]).toEqual([422, "store.needs_vllm"]);
    expect(answer.text).toContain("vLLM is not installed here.");
  }
  expect(await listPulls()).toEqual([]);
});

test("models of vLLM count in the limit of the store, and the one that was not called for the longest time makes room", async () => {
  const second = "acme/second";
  await startServer({ maxStoreBytes: 4_000 });
  writeSafetensorsModel(join(folder, "hub", second));
  await pullAndWait();
  expect((await pull(second)).status).toBe(202);
  await server.api.modelHost.pullRunner.waitUntilIdle();
  expect(await listModels()).toMatchObject([{ model_id: second }]);
  expect([
    existsSync(join(folder, "data/models/repositories/acme--support")),
    server.api.modelHost.host.find(MODEL),
  ]).toEqual([false, null]);
  await server.call(`/api/admin/store/models/${second}`, { method: "PUT", token: admin.token, body: { pinned: true } });
  const answer = await pull();
  expect([answer.status, errorCode(answer.body)]).toEqual([409, "store.quota_full"]);
});

test("files of a former commit and of downloads that ended long ago are deleted, and those of models and downloads are not", async () => {
  await startServer();
  await pullAndWait();
  const repositories = join(folder, "data/models/repositories");
  const names = ["acme--support/former", "acme--old/folder", "acme--recent/folder"];
  for (const name of names) mkdirSync(join(repositories, name), { recursive: true });
  const endedPull = (name: string, updated_at: Date) => ({
    id: `pull_${name}`,
    model_id: `acme/${name}`,
    repository: `acme/${name}`,
    revision: "folder",
    file: "model.safetensors",
    state: "canceled",
    bytes_total: 1,
    created_at: updated_at,
    updated_at,
  });
  const longAgo = new Date(Date.now() - 15 * 24 * 3600_000);
  const rows = [endedPull("old", longAgo), endedPull("recent", new Date())];
  await server.db.insertInto("store_pulls").values(rows).execute();
  await server.runJob("delete orphaned model files");
  expect(readdirSync(repositories).toSorted()).toEqual(["acme--recent", "acme--support"]);
  expect(readdirSync(join(repositories, "acme--support"))).toEqual(["folder"]);
});

test("a model that is larger than the graphics card is refused before its download", async () => {
  await startServer({ vllm: vllmOn(2) });
  const answer = await pull();
  expect([answer.status, errorCode(answer.body)]).toEqual([422, "store.too_large_for_gpu"]);
});

test("a model that vLLM cannot run says why in the answer and in the list, and releases its memory", async () => {
  await startServer({ architecture: "UnknownForCausalLM" });
  await pullAndWait();
  await chat(0);
  const reason = "Model architectures ['UnknownForCausalLM'] are not supported for now.";
  await expect.poll(readHost).toMatchObject({ model: { state: "failed", reason, memory_bytes: 0 } });
  const answer = await chat(0);
  expect([answer.status, errorCode(answer.body)]).toEqual([503, "capacity_exhausted"]);
  expect(answer.text).toContain(reason);
});

test("a download that the server left is continued whole, not as that of a single file", async () => {
  await startServer();
  await pullAndWait();
  const row = { state: "downloading", lease_until: new Date(0), bytes_done: 0 };
  await server.db.updateTable("store_pulls").set(row).execute();
  await server.db.deleteFrom("vllm_models").execute();
  await server.runJob("fetch model files");
  await server.api.modelHost.pullRunner.waitUntilIdle();
  expect(await listPulls()).toMatchObject([{ state: "done" }]);
  expect(await listModels()).toMatchObject([{ model_id: MODEL }]);
});

test("a download that was canceled is not continued", async () => {
  await startServer();
  await pullAndWait();
  await server.db.updateTable("store_pulls").set({ state: "canceled" }).execute();
  await server.db.deleteFrom("vllm_models").execute();
  await server.runJob("fetch model files");
  await server.api.modelHost.pullRunner.waitUntilIdle();
  expect([await listPulls(), await listModels()]).toMatchObject([[{ state: "canceled" }], []]);
});
