import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import { createServableRepository, type FakeHub, startFakeHub } from "@feather/testing/fake-hub";
import { type FakeKubernetes, type InitRun, startFakeKubernetes } from "@feather/testing/fake-kubernetes";
import { waitFor } from "@feather/testing/wait-for";
import { afterEach, expect, test } from "vitest";
import { createFakeEngines } from "../../../testing/fake-engines.ts";
import { DEPLOYMENTS, type JsonObject } from "../../../testing/private-cloud.ts";
import { type Account, createTestServer, type RequestOptions, type TestServer } from "../../../testing/server.ts";
import { DEMO_MODEL_FILE } from "../../runtimes/built-in-models.ts";
import { createPodDownloads, SERVER_URL } from "./testing/pod-downloads.ts";

const ENGINE_IMAGE = "docker.io/local/feather-engine:1";
const VLLM_IMAGE = "docker.io/local/vllm:1";
const MODEL = "acme/support";
const MODELS = "/api/feather/private-models";
const GGUF = readFileSync(DEMO_MODEL_FILE);
const HARDWARE = [{ id: "cpu" }, { id: "vllm", runtime: "vllm", memory: "64Gi" }];
const HUB_TOKEN = "hf_of_the_organization";
const ALL_KINDS = [
  "deployments",
  "pods",
  "services",
  "secrets",
  "endpointslices",
  "poddisruptionbudgets",
  "networkpolicies",
] as const;

let folder: string;
let hub: FakeHub;
let cluster: FakeKubernetes;
let server: TestServer;
let owner: Account;
let downloads: ReturnType<typeof createPodDownloads>;
let engines: ReturnType<typeof createFakeEngines>;

async function start(env: Record<string, string> = {}): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), "private-pods-"));
  engines = createFakeEngines();
  hub = await startFakeHub([], { [HUB_TOKEN]: { user: "owner", reads: [MODEL] } });
  downloads = createPodDownloads(() => server.url);
  cluster = await startFakeKubernetes({
    namespace: "models",
    images: [ENGINE_IMAGE, VLLM_IMAGE],
    runInitContainer: downloads.runInitContainer,
  });
  server = await createTestServer({
    startEngine: engines.start,
    env: {
      FEATHER_HUB_URL: hub.baseUrl,
      FEATHER_DATA_DIR: folder,
      FEATHER_MODEL_MEMORY: "50000",
      FEATHER_KUBERNETES: cluster.kubeconfig,
      FEATHER_KUBERNETES_NAMESPACE: "models",
      FEATHER_KUBERNETES_ENGINE_IMAGE: ENGINE_IMAGE,
      FEATHER_KUBERNETES_VLLM_IMAGE: VLLM_IMAGE,
      FEATHER_KUBERNETES_HARDWARE: JSON.stringify(HARDWARE),
      FEATHER_KUBERNETES_SERVER_URL: SERVER_URL,
      FEATHER_PRELOAD: "off",
      ...env,
    },
  });
  await server.api.modelHost.start();
  owner = await server.signUpOnPlan({ private_cloud: true, private_models: 3 });
}
afterEach(async () => {
  await server.close();
  await cluster.close();
  await hub.close();
  engines.close();
  downloads.close();
  rmSync(folder, { recursive: true, force: true });
});

const call = async (path: string, options: RequestOptions = {}) => {
  const { status, body, text, headers } = await server.call(path, { token: owner.token, ...options });
  return { status, text, headers, body: body as JsonObject };
};
const chatAt = (path: string) =>
  call(path, {
    body: { model: MODEL, messages: [{ role: "user", content: "Hello" }] },
    headers: { "x-wait-for-model": "30" },
  });
const POD_SAYS_HELLO = [200, expect.stringContaining("A pod says hello")];

/** Downloads the private model with the organization's token, from the files that the hub has now. */
async function pull(files: Record<string, Buffer>): Promise<void> {
  // Another commit whenever there is another file.
  const sha = createHash("sha1")
    .update(Buffer.concat(Object.values(files)))
    .digest("hex");
  const model = createServableRepository(MODEL, { gated: true, files, sha });
  hub.add(model);
  const { status, text } = await call(`${MODELS}/${MODEL}`, { method: "POST", body: { hf_token: HUB_TOKEN } });
  expect([status, text]).toEqual([202, expect.anything()]);
  await waitFor(async () => {
    await server.api.modelHost.pullRunner.waitUntilIdle();
    expect((await call(`${MODELS}/${MODEL}`)).body.state).toBe("ready");
  });
}
async function deploy(fields: object = {}): Promise<string> {
  const { status, body, text } = await call(DEPLOYMENTS, {
    body: {
      name: "bot",
      provider_id: "kubernetes",
      region: "cluster",
      instance_type: "cpu",
      model_id: MODEL,
      ...fields,
    },
  });
  expect([status, text]).toEqual([202, expect.anything()]);
  return String(body.id);
}
const reconcile = () => server.api.deployments.reconciler.run();
const objects = () => ALL_KINDS.flatMap((plural) => cluster.store.list(plural));
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
/** Returns the address and the token of the first file that the last pod has downloaded. */
function lastDownload(): { path: string; token: string } {
  const { args = [], env = {} }: Partial<InitRun> = downloads.runs.at(-1) ?? {};
  return { path: (args[2] ?? "").replace(SERVER_URL, ""), token: env.FEATHER_FILES_TOKEN ?? "" };
}
const read = (path: string, token: string | undefined, options: RequestOptions = {}) =>
  server.send(path, { ...options, ...(token !== undefined && { token }) });
const codeOf = async (response: Response) => [response.status, errorCode(await response.json())];

test("a private GGUF file is deployed in the cluster: its pod downloads it from the server and answers", async () => {
  await start();
  await pull({ "model-q4_k_m.gguf": GGUF });
  const id = await deploy();
  expect(
    [await chatAt(`/api/deployments/${id}/v1/chat/completions`)].map(({ status, text }) => [status, text]),
  ).toEqual([POD_SAYS_HELLO]);
  expect(downloads.filesOf(0)).toEqual({ [`${sha256(GGUF)}.gguf`]: GGUF });
  expect(Object.keys(downloads.runs[0]?.env ?? {})).toEqual(["FEATHER_FILES_TOKEN"]);
  const secrets = JSON.stringify(cluster.store.list("secrets").map(({ data }) => data));
  expect(secrets).not.toContain(Buffer.from(HUB_TOKEN).toString("base64"));
});

test("private safetensors files are deployed in the cluster: vLLM's pod downloads all files that it reads", async () => {
  await start({ FEATHER_MODEL_HOST: "kubernetes" });
  const weights = Buffer.from("weights");
  const files = { "model.safetensors": weights, "tokenizer.json": Buffer.from("{}"), "model.bin": Buffer.from("no") };
  await pull(files);
  const id = await deploy({ instance_type: "vllm" });
  const { status, text } = await chatAt(`/api/deployments/${id}/v1/chat/completions`);
  expect([status, text]).toEqual(POD_SAYS_HELLO);
  const downloaded = downloads.filesOf(downloads.runs.length - 1);
  expect(downloaded["model.safetensors"]).toEqual(weights);
  expect(Object.keys(downloaded)).toEqual(expect.arrayContaining(["config.json", "tokenizer.json"]));
  expect(Object.keys(downloaded)).not.toContain("model.bin");
});

test("a pod can read a range of a file, whose ETag is the checksum", async () => {
  await start();
  await pull({ "model-q4_k_m.gguf": GGUF });
  const id = await deploy();
  await chatAt(`/api/deployments/${id}/v1/chat/completions`);
  const { path, token } = lastDownload();
  const head = await read(path, token, { method: "HEAD" });
  expect([head.status, head.headers.get("etag"), head.headers.get("content-length")]).toEqual([
    ...[200, `"${sha256(GGUF)}"`, String(GGUF.length)],
  ]);
  const part = await read(path, token, { headers: { range: "bytes=100-" } });
  expect([part.status, part.headers.get("content-range")]).toEqual([
    ...[206, `bytes 100-${GGUF.length - 1}/${GGUF.length}`],
  ]);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(GGUF.subarray(100));
  expect((await read(path, token, { headers: { range: `bytes=${GGUF.length}-` } })).status).toBe(416);
});

test("only the deployment's pods can read a file, and they can read no other file", async () => {
  await start();
  await pull({ "model-q4_k_m.gguf": GGUF });
  const id = await deploy();
  await chatAt(`/api/deployments/${id}/v1/chat/completions`);
  const { path, token } = lastDownload();
  const refused = [401, "deployments.files_unauthorized"];
  for (const other of [undefined, "guessed", owner.token, `${token}x`])
    expect(await codeOf(await read(path, other))).toEqual(refused);
  const otherId = await deploy({ name: "other", model_id: "feather/demo" });
  expect(await codeOf(await read(path.replace(id, otherId), token))).toEqual(refused);
  expect(await codeOf(await read(path.replace(id, "dep_none"), token))).toEqual(refused);
  const other = path.slice(0, path.lastIndexOf("/"));
  expect(await codeOf(await read(`${other}/other.gguf`, token))).toEqual([404, "deployments.file_not_found"]);
  expect((await read(`${other}/..%2F..%2Fsecret`, token)).status).toBe(404);
  await call(`${DEPLOYMENTS}/${id}/pause`, { method: "POST" });
  expect(await codeOf(await read(path, token))).toEqual(refused);
  await call(`${DEPLOYMENTS}/${id}/resume`, { method: "POST" });
  expect((await read(path, token, { method: "HEAD" })).status).toBe(200);
  await call(`${DEPLOYMENTS}/${id}`, { method: "DELETE" });
  expect(await codeOf(await read(path, token))).toEqual(refused);
});

test("an address that guesses tokens for files is rejected for a while, but not with the right token", async () => {
  await start({ FEATHER_RATE_LIMITS: "on" });
  await pull({ "model-q4_k_m.gguf": GGUF });
  const id = await deploy();
  await chatAt(`/api/deployments/${id}/v1/chat/completions`);
  const { path, token } = lastDownload();
  const statuses: number[] = [];
  for (let guess = 0; guess < 62; guess += 1) statuses.push((await read(path, `guess-${guess}`)).status);
  expect(statuses).toEqual([...Array<number>(60).fill(401), 429, 429]);
  const refused = await read(path, "guess");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await read(path, token, { method: "HEAD" })).status).toBe(200);
});

test("new files of a private model replace the pods with the old ones", async () => {
  await start();
  await pull({ "model-q4_k_m.gguf": GGUF });
  const id = await deploy({ min_replicas: 1 });
  await chatAt(`/api/deployments/${id}/v1/chat/completions`);
  const { path, token } = lastDownload();
  const next = Buffer.concat([GGUF, Buffer.from("more")]);
  await pull({ "model-q4_k_m.gguf": next });
  await waitFor(async () => {
    await reconcile();
    expect(downloads.runs.length).toBe(2);
  });
  await waitFor(() => expect(downloads.filesOf(1)).toEqual({ [`${sha256(next)}.gguf`]: next }));
  expect(await codeOf(await read(path, token))).toEqual([404, "deployments.file_not_found"]);
});

test("without an address of the server for pods, a private model is rejected with what to set", async () => {
  await start({ FEATHER_KUBERNETES_SERVER_URL: "" });
  await pull({ "model-q4_k_m.gguf": GGUF });
  const { status, body } = await call(DEPLOYMENTS, {
    body: { name: "bot", provider_id: "kubernetes", region: "cluster", instance_type: "cpu", model_id: MODEL },
  });
  expect([status, body.message]).toEqual([400, expect.stringContaining("FEATHER_KUBERNETES_SERVER_URL")]);
});

test("with FEATHER_MODEL_HOST=kubernetes, a private model runs in pods, and its deletion leaves no objects", async () => {
  await start({ FEATHER_MODEL_HOST: "kubernetes" });
  await pull({ "model-q4_k_m.gguf": GGUF });
  const { status, text } = await chatAt("/api/v1/chat/completions");
  expect([status, text]).toEqual(POD_SAYS_HELLO);
  expect(engines.all, "nothing runs on the server's machine").toEqual([]);
  const [pod] = cluster.store.list("pods");
  expect(pod?.metadata.labels?.["feather/organization"]).toBe(owner.organizationId);
  const { path, token } = lastDownload();
  expect((await read(path, token, { method: "HEAD" })).status).toBe(200);
  expect((await call(`${MODELS}/${MODEL}`, { method: "DELETE" })).status).toBe(204);
  expect(await codeOf(await read(path, token))).toEqual([401, "deployments.files_unauthorized"]);
  await waitFor(async () => {
    await server.runJob("reconcile shared models");
    expect(objects()).toEqual([]);
  });
});
