import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import { FAKE_CONVERTER_COMMAND } from "@feather/testing/fake-converter";
import {
  createServableRepository,
  type FakeHub,
  type FakeRepository,
  type FakeToken,
  startFakeHub,
} from "@feather/testing/fake-hub";
import { FAKE_VLLM_COMMAND, type FakeVllmMode } from "@feather/testing/fake-vllm";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { privateModelKey } from "../../platform/core/models/model-keys.ts";
import { createServer } from "../../server.ts";
import type { ServerOptions } from "../../server-options.ts";
import { createFakeEngines } from "../../testing/fake-engines.ts";
import { type Account, createRuntimeStates, createTestServer, type TestServer } from "../../testing/server.ts";
import { DEMO_MODEL_FILE } from "../runtimes/built-in-models.ts";
import { createConverter, type GgufConverter, type VllmState } from "../runtimes/index.ts";

const LIST = "/api/feather/private-models";
const MODEL = "acme/support";
const TOKEN = "hf_secretreader";
const SHA = "0123456789abcdef0123456789abcdef01234567";
const GIGABYTE = 1024 ** 3;
type Json = Record<string, unknown>;

let folder: string;
let tokens: Record<string, FakeToken>;
let hub: FakeHub;
let server: TestServer;
let owner: Account;
let logLines: string[];
const engines = createFakeEngines();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "private-vllm-"));
  tokens = { [TOKEN]: { user: "reader", reads: [MODEL] }, hf_second: { user: "second", reads: [MODEL] } };
  hub = await startFakeHub([], tokens);
  logLines = [];
});
afterEach(async () => {
  await server.close();
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

const vllmOn = (command = FAKE_VLLM_COMMAND, gigabytes = 80): VllmState => {
  const bytes = gigabytes * GIGABYTE;
  return { state: "on", command, gpu: { name: "A card", totalBytes: bytes, freeBytes: bytes } };
};
const NO_VLLM: VllmState = { state: "not_installed", reason: "vLLM is not installed here." };

async function start({ vllm = vllmOn(), converter }: { vllm?: VllmState; converter?: GgufConverter } = {}) {
  server = await createTestServer({
    vllm,
    startEngine: engines.start,
    ...(converter && { converter }),
    log: pino({ level: "trace" }, { write: (line: string) => void logLines.push(line) }),
    env: { FEATHER_HUB_URL: hub.baseUrl, FEATHER_DATA_DIR: join(folder, "data"), FEATHER_MODEL_MEMORY: "50000" },
  });
  owner = await server.signUpOnPlan({ private_models: 3, private_cloud: true });
}

/** Adds a repository that passes all checks of private models and has only safetensors files. */
function addRepository(mode: FakeVllmMode = "works", more: Partial<FakeRepository> = {}, config: object = {}): void {
  const text = JSON.stringify({
    architectures: ["Qwen3ForCausalLM"],
    model_type: "qwen3",
    max_position_embeddings: 40_960,
    torch_dtype: "bfloat16",
    fake_vllm: mode,
    ...config,
  });
  hub.add(createServableRepository(MODEL, { ...more, files: { "config.json": text, ...more.files } }));
}

const call = async (rest = "", options: object = {}, { token } = owner) => {
  const { status, body } = await server.call(`${LIST}/${MODEL}${rest}`, { token, ...options });
  return { status, body: body as Json };
};
const create = (body: object = {}, account = owner) => call("", { method: "POST", body }, account);
const get = async (account = owner) => (await call("", {}, account)).body;
const until = (state: string, account = owner) => expect.poll(() => get(account)).toMatchObject({ state });
const check = async (headers: object = {}) => {
  const { compatible, checks } = (await call("/compatibility", { headers })).body;
  return { compatible, file: (checks as Json[]).at(-1) };
};
const chat = ({ token }: Account) =>
  server.call("/v1/chat/completions", {
    token,
    headers: { "x-wait-for-model": "20" },
    body: { model: MODEL, messages: [{ role: "user", content: "Hello" }] },
  });
const filesOf = ({ organizationId }: Pick<Account, "organizationId">) =>
  join(folder, "data/models/organizations", organizationId, "acme--support");

/** Returns the processes that run models of this test with vLLM: their arguments and their environment. */
function listVllmProcesses(): { args: string; environment: string }[] {
  const read = (pid: string, name: string) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, "utf8");
    } catch {
      return ""; // it has ended
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ args: read(pid, "cmdline"), environment: read(pid, "environ") }))
    .filter(({ args }) => args.includes(FAKE_VLLM_COMMAND) && args.includes(folder));
}

/** Makes the hub withhold the content of all large files, until the returned function is called. */
function holdDownloads(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  hub.state.store = (_request, response, bytes) => {
    response.writeHead(200, { "content-length": bytes.length });
    response.write(bytes.subarray(0, 1_000));
    void promise.then(() => response.end(bytes.subarray(1_000)));
  };
  return () => {
    hub.state.store = null;
    resolve();
  };
}

describe("a private model in safetensors files, where vLLM is", () => {
  test("a private model in safetensors files passes the check, is downloaded and loaded, answers its organization only, and leaves nothing when it is deleted", async () => {
    await start();
    addRepository("slow_start");
    const detail = "The safetensors files (0.00 GB) are downloaded, and vLLM runs them.";
    expect(await check()).toEqual({ compatible: true, file: expect.objectContaining({ ok: true, detail }) });
    const resume = holdDownloads();
    expect((await create({ name: "Support" })).status).toBe(202);
    await expect.poll(async () => (await get()).progress).toBeGreaterThan(0);
    expect(await get()).toMatchObject({ state: "downloading", name: "Support", error: null, runtime: null });
    resume();
    await expect.poll(() => get()).toMatchObject({ state: "loading", progress: 0.5 });
    writeFileSync(join(filesOf(owner), SHA, "continue"), "");
    await until("ready");
    expect(await get()).toMatchObject({
      progress: null,
      runtime: "vllm",
      model_class: expect.stringMatching(/qwen3/i),
    });
    const answer = await chat(owner);
    expect([answer.status, answer.body]).toMatchObject([200, { model: MODEL }]);
    expect(answer.text).toContain("vLLM says hello");

    const stranger = await server.signUpOnPlan({ private_models: 3 });
    const refused = await chat(stranger);
    expect([refused.status, errorCode(refused.body)]).toEqual([404, "model_not_found"]);
    expect((await call("", {}, stranger)).status).toBe(404);
    for (const path of ["/api/feather/models?perPage=100&search=support", "/v1/models?q=support", LIST])
      expect((await server.call(path, { token: stranger.token })).text).not.toContain(MODEL);

    expect((await call("", { method: "DELETE" })).status).toBe(204);
    expect([(await chat(owner)).status, listVllmProcesses()]).toEqual([404, []]);
    expect(existsSync(filesOf(owner))).toBe(false);
    expect(await server.db.selectFrom("vllm_models").selectAll().execute()).toEqual([]);
  });

  test("a private model in safetensors files is seen by admins with its organization, and cannot be pinned or deleted by them as a public one", async () => {
    await start();
    addRepository();
    await create();
    await until("ready");
    const { organizationId } = owner;
    const { token } = await server.signInAdmin();
    const stored = await server.call("/api/admin/store/models", { token });
    const item = { model_id: MODEL, organization_id: organizationId, is_loaded: true };
    expect((stored.body as { items: Json[] }).items).toMatchObject([item]);
    const pulls = await server.call("/api/admin/store/pulls", { token });
    expect((pulls.body as { items: Json[] }).items).toMatchObject([
      { model_id: MODEL, organization_id: organizationId },
    ]);
    const host = await server.call("/api/admin/model-host", { token });
    expect((host.body as { models: Json[] }).models).toContainEqual(
      expect.objectContaining({ model_id: MODEL, organization_id: organizationId, runtime: "vllm", state: "warm" }),
    );
    const path = `/api/admin/store/models/${MODEL}`;
    expect((await server.call(path, { token, method: "PUT", body: { pinned: true } })).status).toBe(404);
    expect((await server.call(path, { token, method: "DELETE" })).status).toBe(404);
    await server.runJob("delete orphaned model files");
    expect((await chat(owner)).status).toBe(200);
  });

  test("a private model in safetensors files is unloaded, loaded by the next call, and not downloaded again", async () => {
    await start();
    addRepository();
    await create();
    await until("ready");
    await call("/unload", { method: "POST" });
    await until("unloaded");
    expect(listVllmProcesses()).toEqual([]);
    expect((await chat(owner)).status).toBe(200);
    await call("/unload", { method: "POST" });
    await until("unloaded");
    const requestsBefore = hub.requests.filter((line) => line.includes(".safetensors"));
    await create();
    await until("ready");
    expect(hub.requests.filter((line) => line.includes(".safetensors"))).toEqual(requestsBefore);
  });

  test("a private model in safetensors files is downloaded with its owner's token, which reaches neither vLLM nor the log, and is forgotten", async () => {
    await start();
    addRepository("works", { gated: true });
    expect((await create()).status).toBe(403);
    await create({ hf_token: TOKEN });
    await until("ready");
    const processes = listVllmProcesses();
    expect(processes.length).toBeGreaterThan(0);
    expect(JSON.stringify(processes)).not.toContain(TOKEN);
    expect(logLines.join("")).toContain("vLLM API server version");
    expect(logLines.join("")).not.toContain(TOKEN);
    const rows = await server.db.selectFrom("store_pulls").select(["state", "sealed_token"]).execute();
    expect(rows).toEqual([{ state: "done", sealed_token: null }]);
  });

  test("a private model in safetensors files fails with the hub's reason if its token is withdrawn, and continues with another", async () => {
    await start();
    addRepository("works", { gated: true });
    const resume = holdDownloads();
    await create({ hf_token: TOKEN });
    await expect.poll(async () => (await get()).progress).toBeGreaterThan(0);
    delete tokens[TOKEN];
    resume();
    await until("failed");
    expect(await get()).toMatchObject({ error: expect.stringMatching(/token/) });
    const first = "GET /store/acme/support/model-00001-of-00002.safetensors";
    const countFirst = () => hub.requests.filter((line) => line === first).length;
    const before = countFirst();
    await create({ hf_token: "hf_second" });
    await until("ready");
    expect(countFirst()).toBe(before);
  });

  test("a private model in safetensors files continues with its token after the server was killed in the middle of its download", async () => {
    await start();
    addRepository("works", { gated: true });
    const resume = holdDownloads();
    await create({ hf_token: TOKEN });
    await expect.poll(async () => (await get()).progress).toBeGreaterThan(0);
    await server.api.modelHost.pullRunner.stop();
    await server.db
      .updateTable("store_pulls")
      .set({ state: "downloading", lease_until: new Date(0) })
      .execute();
    resume();
    const { modelHost } = server.createOtherPlatform().api;
    await modelHost.start();
    const { organizationId } = owner;
    const key = privateModelKey(organizationId, MODEL);
    await expect.poll(() => modelHost.host.isWarm(key)).toBe(true);
    expect(modelHost.findForOrganization(key, organizationId)).toMatchObject({ runtime: "vllm" });
    expect(modelHost.findForOrganization(key, "org_other")).toBeNull();
    await modelHost.stop();
  });

  test("a private model in safetensors files is known after a restart, keeps its files, and those of a deleted organization are deleted", async () => {
    await start();
    addRepository();
    await create();
    await until("ready");
    const { modelHost } = server.createOtherPlatform().api;
    await modelHost.start();
    const key = privateModelKey(owner.organizationId, MODEL);
    expect(modelHost.host.find(key)).toMatchObject({ runtime: "vllm", revision: SHA, toolParser: "hermes" });
    await modelHost.deleteOrphans();
    expect(readdirSync(join(filesOf(owner), SHA))).toContain("model-00001-of-00002.safetensors");
    await modelHost.stop();
    await server.db.deleteFrom("organizations").where("id", "=", owner.organizationId).execute();
    await server.runJob("delete orphaned model files");
    expect([existsSync(filesOf(owner)), server.api.modelHost.host.find(key), listVllmProcesses()]).toEqual([
      false,
      null,
      [],
    ]);
  });

  test("a private model in safetensors files keeps its partial download until the model is deleted", async () => {
    await start();
    addRepository();
    const resume = holdDownloads();
    await create();
    await expect.poll(async () => (await get()).progress).toBeGreaterThan(0);
    await call("/unload", { method: "POST" });
    await server.api.modelHost.pullRunner.waitUntilIdle();
    await server.runJob("delete orphaned model files");
    expect(existsSync(filesOf(owner))).toBe(true);
    await call("", { method: "DELETE" });
    await server.runJob("delete orphaned model files");
    expect(existsSync(filesOf(owner))).toBe(false);
    resume();
  });

  test("a private model in safetensors files cannot be deployed, since deployments run GGUF files", async () => {
    await start();
    addRepository();
    await create();
    await until("ready");
    const body = { name: "own", provider_id: "local", region: "here", instance_type: "cpu", model_id: MODEL };
    const answer = await server.call("/api/feather/private-cloud/deployments", { token: owner.token, body });
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "deployments.needs_gguf"]);
  });

  test("a private model in safetensors files takes the file that the repository has as GGUF, not vLLM", async () => {
    await start();
    addRepository("works", { files: { "model-q4_k_m.gguf": readFileSync(DEMO_MODEL_FILE) } });
    expect((await check()).file).toMatchObject({ detail: "model-q4_k_m.gguf can be loaded." });
    await create();
    await until("ready");
    expect(await get()).toMatchObject({ runtime: "llama.cpp" });
    expect(await server.db.selectFrom("vllm_models").selectAll().execute()).toEqual([]);
  });
});

describe("private models of vLLM that share a repository", () => {
  test("two organizations and the public have their own files and processes, and deleting one leaves the others", async () => {
    await start();
    addRepository();
    const admin = await server.signInAdmin();
    await server.call("/api/admin/store/pulls", { token: admin.token, body: { model_id: MODEL } });
    await expect.poll(() => server.api.modelHost.host.find(MODEL)).not.toBeNull();
    const other = await server.signUpOnPlan({ private_models: 3 });
    for (const account of [owner, other]) {
      await create({}, account);
      await until("ready", account);
      expect((await chat(account)).status).toBe(200);
      expect(listVllmProcesses().filter(({ args }) => args.includes(filesOf(account)))).not.toEqual([]);
    }
    await call("", { method: "DELETE" });
    expect([existsSync(filesOf(owner)), existsSync(filesOf(other))]).toEqual([false, true]);
    expect(listVllmProcesses().filter(({ args }) => args.includes(filesOf(owner)))).toEqual([]);
    expect((await chat(other)).status).toBe(200);
    await server.call(`/api/admin/store/models/${MODEL}`, { method: "DELETE", token: admin.token });
    await server.runJob("delete orphaned model files");
    expect(existsSync(join(folder, "data/models/repositories/acme--support"))).toBe(false);
    expect((await chat(other)).status).toBe(200);
  });

  test("an organization without a token gets nothing of what another one may read", async () => {
    await start();
    addRepository("works", { gated: true });
    await create({ hf_token: TOKEN });
    await until("ready");
    const other = await server.signUpOnPlan({ private_models: 3 });
    const answers = [await create({}, other), await create({ hf_token: "hf_unknown" }, other), await chat(other)];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 404]);
    expect(existsSync(filesOf(other))).toBe(false);
  });
});

describe("what runs a private model in safetensors files", () => {
  const createFakeConverter = (more = ""): GgufConverter =>
    createConverter(`${FAKE_CONVERTER_COMMAND}${more}`, {
      path: process.env.PATH,
      sandbox: { state: "off" as const },
      hidden: [],
      log: { warn() {} },
    });
  const withConvertibleWeights = () => ({
    files: { "model-00001-of-00002.safetensors": readFileSync(DEMO_MODEL_FILE) },
  });

  test("without vLLM and a converter the check of a private model in safetensors files rejects it beforehand, with both reasons, and nothing is downloaded", async () => {
    await start({ vllm: NO_VLLM });
    addRepository();
    const { compatible, file } = await check();
    expect([compatible, file?.ok]).toEqual([false, false]);
    for (const reason of ["vLLM is not installed here.", "FEATHER_GGUF_CONVERTER names no converter."])
      expect(file?.detail).toContain(reason);
    const answer = await create();
    expect([answer.status, errorCode(answer.body)]).toEqual([422, "private_models.incompatible"]);
    expect(await server.db.selectFrom("store_pulls").selectAll().execute()).toEqual([]);
  });

  test("a graphics card that is too small is a reason, and the weights are converted instead", async () => {
    await start({ vllm: vllmOn(FAKE_VLLM_COMMAND, 2) });
    addRepository();
    expect((await check()).file).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/It needs [\d.]+ GB of GPU memory or more with vLLM/),
    });
    await server.close();
    await start({ vllm: vllmOn(FAKE_VLLM_COMMAND, 2), converter: createFakeConverter() });
    addRepository("works", withConvertibleWeights());
    expect((await check()).file).toMatchObject({ ok: true, detail: expect.stringContaining("converted to") });
  });

  test("an architecture that vLLM does not know is refused before anything is downloaded", async () => {
    const python = join(folder, "python3");
    writeFileSync(python, "#!/bin/sh\necho 'INFO 11-20 a line of its log'\necho '[\"LlamaForCausalLM\"]'\n");
    const command = join(folder, "vllm");
    writeFileSync(command, `#!${python}\n`);
    for (const file of [python, command]) chmodSync(file, 0o755);
    await start({ vllm: vllmOn(command) });
    addRepository();
    const detail = expect.stringContaining("The vLLM of this server does not know the architecture Qwen3ForCausalLM.");
    expect(await check()).toMatchObject({ compatible: false, file: { ok: false, detail } });
    expect((await create()).status).toBe(422);
  });

  test("a model that was converted runs with vLLM at its next commit, and is converted again where vLLM is gone", async () => {
    const converter = createFakeConverter();
    const addCommit = (sha: string) =>
      addRepository("works", { sha, ...withConvertibleWeights() }, { fake_converter: "works" });
    const listRows = async () => [
      (await server.db.selectFrom("store_files").selectAll().execute()).length,
      (await server.db.selectFrom("vllm_models").selectAll().execute()).length,
    ];
    await start({ vllm: NO_VLLM, converter });
    addCommit("a".repeat(40));
    await create();
    await until("ready");
    expect(await listRows()).toEqual([1, 0]);

    const deployment = { name: "own", provider_id: "local", region: "here", instance_type: "cpu", model_id: MODEL };
    const path = "/api/feather/private-cloud/deployments";
    const deployed = await server.call(path, { token: owner.token, body: deployment });
    addCommit("b".repeat(40));
    const withVllm = await restart({ runtimeStates: createRuntimeStates({ vllm: vllmOn() }), converter });
    const refused = await withVllm.create();
    expect([deployed.status, refused.statusCode, errorCode(refused.json())]).toEqual([
      202,
      409,
      "private_models.deployed",
    ]);
    await server.db.deleteFrom("deployments").execute();
    await withVllm.create();
    await withVllm.until("ready");
    expect([await listRows(), listVllmProcesses().length > 0]).toEqual([[0, 1], true]);
    await withVllm.stop();

    const without = await restart({ runtimeStates: createRuntimeStates({ vllm: NO_VLLM }), converter });
    expect(await without.get()).toMatchObject({ state: "failed", error: "vLLM is not installed here." });
    await without.create();
    await without.until("ready");
    await without.modelHost.deleteOrphans();
    expect([await listRows(), existsSync(filesOf(owner))]).toEqual([[1, 0], false]);
    await without.stop();
  });
});

/** Restarts the server with the same data. Returns the owner's calls to it. */
async function restart(options: Partial<ServerOptions>) {
  const platform = server.createOtherPlatform(options);
  const app = await createServer(platform, platform.handlers);
  const { modelHost } = platform.api;
  await modelHost.start();
  const headers = { authorization: `Bearer ${owner.token}` };
  const url = `${LIST}/${MODEL}`;
  const readModel = async (): Promise<Json> => (await app.inject({ url, headers })).json();
  return {
    modelHost,
    get: readModel,
    create: () => app.inject({ method: "POST", url, headers, payload: {} }),
    until: (state: string) => expect.poll(readModel).toMatchObject({ state }),
    async stop() {
      await app.close();
      await modelHost.stop();
    },
  };
}
