import { type FakeKubernetes, startFakeKubernetes } from "@feather/testing/fake-kubernetes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChatRequest } from "../testing/chat.ts";
import { createTestReplicas, type TestReplicas } from "../testing/replicas.ts";
import type { Account } from "../testing/server.ts";

const MODEL = "feather/demo";
const ENGINE_IMAGE = "docker.io/local/feather-engine:1";
const MODEL_HOST = "/api/admin/model-host";

let cluster: FakeKubernetes;
let replicas: TestReplicas;
let owner: Account;

beforeAll(async () => {
  cluster = await startFakeKubernetes({ namespace: "models", images: [ENGINE_IMAGE] });
  replicas = await createTestReplicas({
    env: {
      FEATHER_MODEL_HOST: "kubernetes",
      FEATHER_KUBERNETES: cluster.kubeconfig,
      FEATHER_KUBERNETES_NAMESPACE: "models",
      FEATHER_KUBERNETES_ENGINE_IMAGE: ENGINE_IMAGE,
      FEATHER_PRELOAD: "off",
    },
  });
  owner = await replicas.leader.signUpOnPlan({ concurrency: 4 });
});
afterAll(async () => {
  await replicas.close();
  await cluster.close();
});

test("a replica that does not lead has a pod started for its call, which reaches it through the leader", async () => {
  const { status, text } = await replicas.other.call("/v1/chat/completions", {
    token: owner.token,
    body: createChatRequest({ model: MODEL }),
    headers: { "x-wait-for-model": "20" },
  });
  expect([status, text]).toEqual([200, expect.stringContaining("A pod says hello")]);
  expect(replicas.other.api.modelHost.host.isWarm(MODEL)).toBe(true);
  expect(replicas.other.api.backends.registry.candidates(MODEL)).toMatchObject([
    { origin: replicas.leaderAddress, source: "engine" },
  ]);
});

test("administrators see the pods at every replica", async () => {
  const admin = await replicas.leader.signInAdmin();
  const { body } = await replicas.other.call(MODEL_HOST, { token: admin.token });
  expect(body).toMatchObject({ models: [{ model_id: MODEL, state: "warm" }] });
});
