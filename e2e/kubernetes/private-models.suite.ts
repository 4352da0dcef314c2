import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Feather } from "@feather/sdk";
import { createServableRepository, type FakeHub, startFakeHub } from "@feather/testing/fake-hub";
import { freePort } from "@feather/testing/free-port";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { type Platform, startPlatform } from "../support/platform.ts";
import { kubectl } from "./cluster.ts";

/** A private model: the demonstration model under another name, which only its owner's token of the hub reads. */
const MODEL = "acme/own";
const GGUF = readFileSync(join(import.meta.dirname, "../../packages/engine/dist/models/demo.gguf"));
const HUB_TOKEN = "hf_of_the_owner";
/** An address of this machine that pods reach: the API server's. */
const HOST = "10.96.0.1";
const HARDWARE = [{ id: "cpu", cpu: "50m", memory: "1Gi" }];
const ALL_KINDS = "deployments,pods,services,secrets,poddisruptionbudgets,networkpolicies,endpointslices";
const POLL = { timeout: 120_000, interval: 500 };
const LOADING = { timeout: 240_000, interval: 500 };

const cluster = inject("cluster");
let folder: string;
let port: number;
let hub: FakeHub;
let platform: Platform;
let token: string;
let owner: Feather;
let id: string;

async function start(changes: Record<string, string> = {}): Promise<void> {
  platform = await startPlatform(join(folder, "data"), {
    FEATHER_PORT: String(port),
    FEATHER_HOST: "0.0.0.0",
    FEATHER_INSECURE: "on",
    FEATHER_PUBLIC_URL: `http://127.0.0.1:${port}`,
    FEATHER_SECRET: "a secret of thirty-two characters or more",
    FEATHER_HUB_URL: hub.baseUrl,
    FEATHER_KUBERNETES: cluster.serverKubeconfig,
    FEATHER_KUBERNETES_NAMESPACE: cluster.namespace,
    FEATHER_KUBERNETES_ENGINE_IMAGE: cluster.engineImage,
    FEATHER_KUBERNETES_PULL_POLICY: "Never",
    FEATHER_KUBERNETES_HARDWARE: JSON.stringify(HARDWARE),
    FEATHER_KUBERNETES_SERVER_URL: `http://${HOST}:${port}`,
    FEATHER_PRELOAD: "off",
    ...changes,
  });
  ({ token, feather: owner } = await signInAsAdmin(platform.baseUrl));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-private-models-"));
  chmodSync(folder, 0o711); // the database runs as another user
  hub = await startFakeHub([], { [HUB_TOKEN]: { user: "owner", reads: [MODEL] } });
  hub.add(createServableRepository(MODEL, { gated: true, files: { "own-q4_k_m.gguf": GGUF } }));
  port = await freePort();
  await start();
});
afterAll(async () => {
  platform.process.kill("SIGTERM");
  await platform.ended;
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Calls until the model is loaded, which takes minutes where copying an image does. */
function chat(path: string): Promise<{ status: number; text: string }> {
  return vi.waitFor(async () => {
    const answer = await call(path);
    expect(answer.text).not.toContain('"model_loading"');
    return answer;
  }, LOADING);
}

async function call(path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(platform.baseUrl + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, "x-wait-for-model": "60" },
    body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Hello" }], max_tokens: 8 }),
  });
  return { status: response.status, text: await response.text() };
}

const list = (kinds: string, selector: string) =>
  kubectl(cluster, "get", kinds, "-n", cluster.namespace, "-l", selector, "-o", "name").split("\n").filter(Boolean);

/** The address of the file that a pod downloads, and the token for it. */
function readDownload(selector: string): { url: string; filesToken: string } {
  const read = (kind: string) =>
    JSON.parse(kubectl(cluster, "get", kind, "-n", cluster.namespace, "-l", selector, "-o", "json")).items[0];
  const url = read("deployments").spec.template.spec.initContainers[0].args[2].replace(HOST, "127.0.0.1");
  return { url, filesToken: Buffer.from(read("secrets").data["files-token"], "base64").toString() };
}
const readFile = (url: string, bearer: string) => fetch(url, { headers: { authorization: `Bearer ${bearer}` } });

test("a private model is deployed in the cluster: its pod downloads it from the server and answers", async () => {
  await owner.privateModels.create(MODEL, { hf_token: HUB_TOKEN });
  await vi.waitFor(async () => expect((await owner.privateModels.get(MODEL)).state).toBe("ready"), POLL);
  const place = { provider_id: "kubernetes", region: "cluster", instance_type: "cpu" } as const;
  ({ id } = await owner.deployments.create({ name: "own", model_id: MODEL, ...place, engine_args: { context: 512 } }));
  const { status, text } = await chat(`/api/deployments/${id}/v1/chat/completions`);
  const selector = `feather/deployment=${id}`;
  console.log(kubectl(cluster, "get", "deployments,pods", "-n", cluster.namespace, "-l", selector), text);
  const [pod = ""] = list("pods", selector);
  console.log(kubectl(cluster, "logs", pod, "-c", "weights", "-n", cluster.namespace));
  expect(status).toBe(200);
});

test("the file is read with the pods' token alone", async () => {
  const { url, filesToken } = readDownload(`feather/deployment=${id}`);
  expect(Buffer.from(await (await readFile(url, filesToken)).arrayBuffer())).toEqual(GGUF);
  for (const other of ["guessed", token]) expect((await readFile(url, other)).status).toBe(401);
});

test("deleting the deployment ends the token", async () => {
  const { url, filesToken } = readDownload(`feather/deployment=${id}`);
  await owner.deployments.delete(id);
  expect((await readFile(url, filesToken)).status).toBe(401);
  await vi.waitFor(() => expect(list(ALL_KINDS, `feather/deployment=${id}`)).toEqual([]), POLL);
});

test("with FEATHER_MODEL_HOST=kubernetes a private model is called in pods, and deleting it leaves nothing", async () => {
  platform.process.kill("SIGTERM");
  await platform.ended;
  await start({ FEATHER_MODEL_HOST: "kubernetes" });
  const { organization } = await owner.auth.me();
  const selector = `feather/organization=${organization.id}`;
  const { status, text } = await chat("/v1/chat/completions");
  console.log(kubectl(cluster, "get", "deployments,pods", "-n", cluster.namespace, "-l", selector), text);
  expect(status).toBe(200);
  const { url, filesToken } = readDownload(selector);
  expect((await readFile(url, filesToken)).status).toBe(200);
  await owner.privateModels.delete(MODEL);
  expect((await readFile(url, filesToken)).status).toBe(401);
  await vi.waitFor(() => expect(list(ALL_KINDS, selector)).toEqual([]), POLL);
});
