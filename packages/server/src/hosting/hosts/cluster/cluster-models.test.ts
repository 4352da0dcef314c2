import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "@feather/testing/errors";
import { type FakeKubernetes, startFakeKubernetes } from "@feather/testing/fake-kubernetes";
import { waitFor } from "@feather/testing/wait-for";
import { afterEach, expect, test } from "vitest";
import { privateModelKey } from "../../../platform/core/models/model-keys.ts";
import { GGUF, type ModelStoreServer, PULLS, startModelStore } from "../../../testing/model-store.ts";
import { hostedModelId } from "./deployment-ids.ts";

const ENGINE_IMAGE = "docker.io/local/feather-engine:1";
const VLLM_IMAGE = "docker.io/local/vllm:1";
const GGUF_REPOSITORY = "acme/talker-GGUF";
const ALL_KINDS = [
  "deployments",
  "pods",
  "services",
  "secrets",
  "endpointslices",
  "poddisruptionbudgets",
  "networkpolicies",
] as const;

let cluster: FakeKubernetes;
let store: ModelStoreServer;

/** Returns a server whose shared models run in a cluster that has these images. */
async function start({ images = [ENGINE_IMAGE], env = {} }: { images?: string[]; env?: Record<string, string> } = {}) {
  cluster = await startFakeKubernetes({ namespace: "models", images });
  store = await startModelStore({
    env: {
      FEATHER_MODEL_HOST: "kubernetes",
      FEATHER_KUBERNETES: cluster.kubeconfig,
      FEATHER_KUBERNETES_NAMESPACE: "models",
      FEATHER_KUBERNETES_ENGINE_IMAGE: ENGINE_IMAGE,
      FEATHER_PRELOAD: "off",
      ...env,
    },
  });
  store.hub.add({ id: GGUF_REPOSITORY, files: { "talker-q4_k_m.gguf": GGUF } });
  await store.server.api.modelHost.start();
}
afterEach(async () => {
  await store.stop();
  await cluster.close();
});

const objectsOf = (model: string) =>
  ALL_KINDS.flatMap((plural) => cluster.store.list(plural)).filter(
    ({ metadata }) => metadata.labels?.["feather/deployment"] === hostedModelId(model),
  );
/** Returns the files of models on this machine. */
function listFiles(): string[] {
  const folder = join(store.folder, "models");
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
}
const runHost = () => store.server.runJob("start and unload models");
const chat = (model: string, waitSeconds?: number) =>
  store.server.call("/api/v1/chat/completions", {
    token: store.admin.token,
    body: { model, messages: [{ role: "user", content: "Hello" }] },
    ...(waitSeconds !== undefined && { headers: { "x-wait-for-model": String(waitSeconds) } }),
  });
const listLoaded = async () =>
  ((await store.server.call("/api/admin/model-host", { token: store.admin.token })).body as { models: object[] })
    .models;

async function pullModel(repository: string): Promise<string> {
  const { body } = await store.pull({ model_id: repository });
  const { id, model_id } = body as { id: string; model_id: string };
  await waitFor(async () => {
    const { items } = (await store.server.call(PULLS, { token: store.admin.token })).body as {
      items: { id: string; state: string; error: string | null }[];
    };
    expect(items.find((pull) => pull.id === id)).toMatchObject({ state: "done", error: null });
  });
  return model_id;
}

test("a pulled model answers from a pod, its file is on no disk of the server, and nothing is left when it is deleted", async () => {
  await start();
  const model = await pullModel(GGUF_REPOSITORY);
  expect(listFiles().filter((name) => name.endsWith(".gguf"))).toEqual([]);
  expect(objectsOf(model)).toEqual([]);
  const answer = await chat(model, 30);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("A pod says hello")]);
  const [pod] = cluster.store.list("pods");
  expect(pod?.spec.initContainers?.[0]?.args?.at(-1)).toContain(`/${GGUF_REPOSITORY}/resolve/`);
  expect(await listLoaded()).toMatchObject([{ model_id: model, state: "warm", reason: null }]);
  const { status } = await store.server.call(`/api/admin/store/models/${encodeURIComponent(model)}`, {
    method: "DELETE",
    token: store.admin.token,
  });
  expect(status).toBe(204);
  await waitFor(async () => {
    await runHost();
    expect(objectsOf(model)).toEqual([]);
  });
  expect((await chat(model)).status).not.toBe(200);
});

test("a model in safetensors files runs with vLLM, and its weights are on no disk of the server", async () => {
  await start({
    images: [ENGINE_IMAGE, VLLM_IMAGE],
    env: {
      FEATHER_KUBERNETES_VLLM_IMAGE: VLLM_IMAGE,
      FEATHER_KUBERNETES_HARDWARE: JSON.stringify([{ id: "cpu" }, { id: "vllm", runtime: "vllm", memory: "64Gi" }]),
    },
  });
  const config = { architectures: ["Qwen3ForCausalLM"], model_type: "qwen3", max_position_embeddings: 4096 };
  const tokenizer = JSON.stringify(["<think>", "</think>"]);
  store.hub.add({
    id: "acme/thinker",
    parameters: { BF16: 4_000_000_000 },
    files: {
      "config.json": JSON.stringify(config),
      "tokenizer.json": tokenizer,
      "model.safetensors": { size: 8_000_000_000 },
    },
  });
  const model = await pullModel("acme/thinker");
  expect(listFiles().filter((name) => name.endsWith(".safetensors"))).toEqual([]);
  const answer = await chat(model, 30);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("A pod says hello")]);
  const args = cluster.store.list("pods")[0]?.spec.containers[0].args ?? [];
  expect(args.join(" ")).toContain("serve /cache/hub/acme/thinker/");
  expect(args.join(" ")).toMatch(/--max-model-len[ =]4096/);
  expect(args.join(" ")).toMatch(/--tool-call-parser[ =]hermes/);
});

test("a model whose file is not on this machine is not deployed here, and a private model runs here all the same", async () => {
  await start();
  const { modelHost, deployments } = store.server.api;
  const spec = { organizationId: "org_1", modelKey: await pullModel(GGUF_REPOSITORY), revision: null };
  const place = { region: "here", instanceType: "cpu", engineArgs: {} };
  expect(() => deployments.providers.get("local")?.check({ ...spec, ...place }, { maxReplicas: 1 })).toThrow(
    /not on this machine, since it runs in the cluster/,
  );
  const key = privateModelKey("org_1", "acme/own");
  const file = { file: "/own.gguf", fileName: "own.gguf", size: 1_000, contextLength: 2048, bytesPerToken: 1024 };
  modelHost.host.register({ id: key, ...file });
  await modelHost.host.wake(key);
  expect(store.engines.all.map(({ model }) => model.id)).toEqual([key]);
  expect(cluster.store.list("pods")).toEqual([]);
});

test("the models of the installation keep no pods, and get one when they are called", async () => {
  await start({ env: { FEATHER_PRELOAD: "on" } });
  await runHost();
  expect(cluster.store.list("pods")).toEqual([]);
  expect((await chat("feather/demo", 30)).text).toContain("A pod says hello");
  expect(store.engines.all.length).toBe(0);
});

test("why no pod starts is what callers and administrators read", async () => {
  await start({ images: [] });
  expect((await chat("feather/demo")).status).toBe(503);
  await waitFor(async () =>
    expect(await listLoaded()).toMatchObject([
      { model_id: "feather/demo", state: "failed", reason: expect.stringContaining(ENGINE_IMAGE) },
    ]),
  );
  const { status, text } = await chat("feather/demo");
  expect([status, text]).toEqual([503, expect.stringContaining("cannot be pulled")]);
});

test("a call that waits for pods ends when they have failed, with the reason", async () => {
  await start({ images: [] });
  // A waiting time that is longer than this test takes.
  const { status, body } = await chat("feather/demo", 600);
  expect([status, errorCode(body)]).toEqual([503, "capacity_exhausted"]);
  expect(body).toMatchObject({
    error: { message: expect.stringContaining(`The image ${ENGINE_IMAGE} cannot be pulled`) },
  });
});

test("people who are signed in read what a pod waits for, on the model and in the error of a call; visitors do not", async () => {
  const reason = "No node has room for it: 0/1 nodes are available: 1 Insufficient nvidia.com/gpu.";
  const row = { id: "l4", gpu: "NVIDIA L4", gpu_count: 1, vram_gb: 24, runtime: "engine" };
  await start({ env: { FEATHER_KUBERNETES_HARDWARE: JSON.stringify([row]) } });
  await chat("feather/demo");
  const read = async (token?: string) => {
    const { body } = await store.server.call("/api/feather/models/feather/demo", token === undefined ? {} : { token });
    return (body as { availability: object }).availability;
  };
  await waitFor(async () =>
    expect(await read(store.admin.token)).toMatchObject({
      tier: "loading",
      loading_stage: "cluster",
      loading_reason: reason,
      estimated_ready_at: null,
    }),
  );
  expect(await read()).toMatchObject({ tier: "loading", loading_reason: null });
  const { body } = await chat("feather/demo", 1);
  expect(body).toMatchObject({ error: { code: "model_loading", message: expect.stringContaining(reason) } });
});

test("deployments of organizations and shared models do not touch each other's pods", async () => {
  await start();
  const { reconciler, providers } = store.server.api.deployments;
  const podNames = () => cluster.store.list("pods").map(({ metadata }) => metadata.name);
  expect((await chat("feather/demo", 30)).status).toBe(200);
  const shared = podNames();
  expect(shared).toHaveLength(1);
  await reconciler.run();
  await runHost();
  expect(podNames()).toEqual(shared);
  const spec = { organizationId: "org_1", modelKey: "feather/demo", revision: null, engineArgs: {} };
  const place = { region: "cluster", instanceType: "cpu" };
  const target = { id: "dep_1", generation: 1, replicas: 1, spec: { ...spec, ...place } };
  await providers.get("kubernetes")?.apply(target);
  await waitFor(() => expect(podNames()).toHaveLength(2));
  const all = podNames();
  await runHost();
  expect(podNames()).toEqual(all);
});
