import { readFileSync } from "node:fs";
import { type FakeKubernetes, startFakeKubernetes } from "@feather/testing/fake-kubernetes";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_MODEL_FILE } from "../hosting/runtimes/built-in-models.ts";
import { privateModelKey } from "../platform/core/models/model-keys.ts";
import { createChatRequest } from "../testing/chat.ts";
import { createTestReplicas, type TestReplicas } from "../testing/replicas.ts";
import type { Account } from "../testing/server.ts";

const MODEL = "feather/demo";
const ENGINE_IMAGE = "docker.io/local/feather-engine:1";
const MODEL_HOST = "/api/admin/model-host";

const GGUF = readFileSync(DEMO_MODEL_FILE);

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
      FEATHER_KUBERNETES_SERVER_URL: "http://feather.svc",
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

test("a pod reads a file that only the leader has from whichever replica it calls", async () => {
  const { host } = replicas.leader.api.modelHost;
  const key = privateModelKey("org_1", "acme/own");
  const sizes = { size: GGUF.length, contextLength: 2048, bytesPerToken: 1024 };
  host.register({ id: key, file: DEMO_MODEL_FILE, fileName: "own.gguf", ...sizes });
  await host.wake(key);
  const findOwn = <T extends { metadata: { labels?: Record<string, string> } }>(objects: readonly T[]) =>
    objects.find(({ metadata }) => metadata.labels?.["feather/organization"] === "org_1");
  const pod = await waitFor(() => {
    const found = findOwn(cluster.store.list("pods"));
    expect(found).toBeDefined();
    return found;
  });
  const path = pod?.spec.initContainers?.[0]?.args?.[2]?.replace("http://feather.svc", "") ?? "";
  const encoded = findOwn(cluster.store.list("secrets"))?.data?.["files-token"] ?? "";
  const token = Buffer.from(encoded, "base64").toString();
  const part = await replicas.other.send(path, { token, headers: { range: "bytes=10-" } });
  expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 10-${GGUF.length - 1}/${GGUF.length}`]);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(GGUF.subarray(10));
  const head = await replicas.other.send(path, { token, method: "HEAD" });
  expect([head.status, head.headers.get("etag")]).toEqual([200, expect.stringMatching(/^"[0-9a-f]{64}"$/)]);
  expect((await replicas.other.send(path, { token: "guessed" })).status).toBe(401);
});
