import { errorCode } from "@feather/testing/errors";
import { type FakeKubernetes, startFakeKubernetes } from "@feather/testing/fake-kubernetes";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createPrivateCloudServer, DEPLOYMENTS, type PrivateCloudServer } from "../../../testing/private-cloud.ts";
import { type Account, createTestServer } from "../../../testing/server.ts";
import { nameOf } from "./objects.ts";

const ENGINE_IMAGE = "docker.io/local/feather-engine:1";
const VLLM_IMAGE = "docker.io/local/vllm:1";
const HARDWARE = [
  { id: "cpu" },
  { id: "broken", memory: "32Mi" },
  { id: "pair", gpu: "H100", gpu_count: 1, vram_gb: 80, nodes: 2, gpu_resource: "example.com/gpu" },
  { id: "l4", gpu: "NVIDIA L4", gpu_count: 1, vram_gb: 24, hourly_nano_usd: "700000000", runtime: "engine" },
];
const PLACE = { provider_id: "kubernetes", region: "cluster", instance_type: "cpu" };

let cluster: FakeKubernetes;
let server: PrivateCloudServer;
let owner: Account;

beforeAll(async () => {
  cluster = await startFakeKubernetes({ namespace: "models", images: [ENGINE_IMAGE, VLLM_IMAGE] });
  server = await createPrivateCloudServer({
    FEATHER_KUBERNETES: cluster.kubeconfig,
    FEATHER_KUBERNETES_NAMESPACE: "models",
    FEATHER_KUBERNETES_ENGINE_IMAGE: ENGINE_IMAGE,
    FEATHER_KUBERNETES_VLLM_IMAGE: VLLM_IMAGE,
    FEATHER_KUBERNETES_HARDWARE: JSON.stringify(HARDWARE),
  });
});
afterAll(async () => {
  await server.close();
  await cluster.close();
});
beforeEach(async () => {
  owner = await server.signUpOwner();
});

const get = async (id: string) => (await server.call(`${DEPLOYMENTS}/${id}`, { token: owner.token })).body;
const remove = (id: string) => server.call(`${DEPLOYMENTS}/${id}`, { method: "DELETE", token: owner.token });
const countObjects = (id: string) =>
  (
    [
      "deployments",
      "leaderworkersets",
      "pods",
      "services",
      "secrets",
      "endpointslices",
      "poddisruptionbudgets",
    ] as const
  )
    .flatMap((plural) => cluster.store.list(plural))
    .filter(({ metadata: { labels } }) => labels?.["feather/deployment"] === id || labels?.["feather/worker-of"] === id)
    .length;

async function waitUntilGone(id: string): Promise<void> {
  await waitFor(async () => {
    await server.reconcile();
    expect(countObjects(id)).toBe(0);
  });
}

test("the API lists the cluster and its hardware types next to this machine", async () => {
  const { body } = await server.call("/api/feather/private-cloud/deployment-providers", { token: owner.token });
  expect(body.items).toEqual([
    expect.objectContaining({ id: "local" }),
    {
      id: "kubernetes",
      name: "Kubernetes",
      regions: [{ id: "cluster", name: "The cluster" }],
      instance_types: [
        { id: "cpu", gpu: null, gpu_count: 0, vram_gb: 0, nodes: 1, hourly_nano_usd: "0" },
        { id: "broken", gpu: null, gpu_count: 0, vram_gb: 0, nodes: 1, hourly_nano_usd: "0" },
        { id: "pair", gpu: "H100", gpu_count: 2, vram_gb: 160, nodes: 2, hourly_nano_usd: "0" },
        { id: "l4", gpu: "NVIDIA L4", gpu_count: 1, vram_gb: 24, nodes: 1, hourly_nano_usd: "700000000" },
      ],
      available: true,
      reason: null,
    },
  ]);
});

test("a deployment on one node answers from a pod, scales to zero, starts with the next call, and leaves no objects", async () => {
  const { id, token } = await server.deploy(owner, { ...PLACE, scale_to_zero_after_s: 60 });
  await server.waitForState(owner, id, "running");
  const answer = await server.chat(id, token);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("A pod says hello")]);
  server.advanceSeconds(61);
  await server.reconcile();
  await server.waitForState(owner, id, "scaled_to_zero");
  await waitFor(() => expect(cluster.store.get("deployments", nameOf(id))?.spec.replicas).toBe(0));
  expect((await server.chat(id, token, { wait: 30 })).status).toBe(200);
  await remove(id);
  await waitUntilGone(id);
  expect((await server.call(`${DEPLOYMENTS}/${id}`, { token: owner.token })).status).toBe(404);
});

test("a deployment on two nodes answers from a group of pods, scales to zero, starts with the next call, and leaves no objects", async () => {
  const place = { ...PLACE, model_id: "Qwen/Qwen3-4B", instance_type: "pair", scale_to_zero_after_s: 60 };
  const { id, token } = await server.deploy(owner, place);
  await server.waitForState(owner, id, "running");
  expect((await server.chat(id, token)).status).toBe(200);
  const { body } = await server.call(`${DEPLOYMENTS}/${id}/replicas`, { token: owner.token });
  expect(body.items).toEqual([expect.objectContaining({ name: `${nameOf(id)}-0`, state: "ready" })]);
  server.advanceSeconds(61);
  await server.reconcile();
  await server.waitForState(owner, id, "scaled_to_zero");
  expect((await server.chat(id, token, { wait: 30 })).status).toBe(200);
  await remove(id);
  await waitUntilGone(id);
});

test("the owner of a deployment reads why no pod starts", async () => {
  const { id, token } = await server.deploy(owner, { ...PLACE, instance_type: "l4" });
  const reason = "No node has room for it: 0/1 nodes are available: 1 Insufficient nvidia.com/gpu.";
  await waitFor(async () => expect(await get(id)).toMatchObject({ state: "initializing", state_reason: reason }));
  const { body } = await server.call(`${DEPLOYMENTS}/${id}/replicas`, { token: owner.token });
  expect(body.items).toEqual([expect.objectContaining({ state: "starting", reason })]);
  const call = await server.chat(id, token);
  expect([call.status, errorCode(call.body)]).toEqual([503, "model_loading"]);
  expect(call.text).toContain(reason);
  const waited = await server.chat(id, token, { wait: 1 });
  expect([waited.status, errorCode(waited.body)]).toEqual([503, "model_loading"]);
  expect(waited.text).toContain(`${reason} The call has waited for 1 s.`);
  await remove(id);
  await waitUntilGone(id);
});

test("a call that waits for a deployment fails with the reason when its pods have failed", async () => {
  const { id, token } = await server.deploy(owner, { ...PLACE, instance_type: "broken", min_replicas: 0 });
  const call = await server.chat(id, token, { wait: 600 });
  expect([call.status, errorCode(call.body)]).toEqual([503, "deployment_failed"]);
  expect(call.text).toContain("It needed more memory than it may have (32Mi), and was ended.");
  await remove(id);
  await waitUntilGone(id);
});

test("objects of a deployment without a row are removed from the cluster", async () => {
  const { id } = await server.deploy(owner, PLACE);
  await server.waitForState(owner, id, "running");
  await server.db.deleteFrom("deployments").where("id", "=", id).execute();
  await waitUntilGone(id);
});

test.each([
  ["an option that is not known", { engine_args: { tpu: true } }, /tpu is not known here. Known: context/],
  ["a kind of machine that is not there", { instance_type: "h100" }, /there is no h100. Known: cpu, broken, pair, l4/],
])("creating a deployment in the cluster rejects %s and stores nothing", async (_name, fields, message) => {
  const { status, body } = await server.call(DEPLOYMENTS, {
    method: "POST",
    token: owner.token,
    body: server.body({ ...PLACE, ...fields }),
  });
  expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
});

test("a cluster without an image for its hardware is listed as unavailable with the reason", async () => {
  const other = await createTestServer({ env: { FEATHER_KUBERNETES: cluster.kubeconfig } });
  const { token } = await other.signUp();
  const { body } = await other.call("/api/feather/private-cloud/deployment-providers", { token });
  const reason = "No kind of machine can be used: set FEATHER_KUBERNETES_ENGINE_IMAGE.";
  expect(body).toMatchObject({ items: [{ id: "local" }, { id: "kubernetes", available: false, reason }] });
  await other.close();
});
