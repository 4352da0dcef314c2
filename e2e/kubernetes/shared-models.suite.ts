import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Feather } from "@feather/sdk";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { type Platform, startPlatform } from "../support/platform.ts";
import { kubectl } from "./cluster.ts";

const MODEL = "feather/demo";
const HARDWARE = [{ id: "cpu", cpu: "50m", memory: "1Gi" }];
/** The objects of models that all share, apart from those of organizations' deployments. */
const SELECTOR = "feather/organization=shared";
const ALL_KINDS = "deployments,pods,services,secrets,poddisruptionbudgets,networkpolicies,endpointslices";
const POLL = { timeout: 120_000, interval: 500 };
const LOADING = { timeout: 240_000, interval: 500 };

const cluster = inject("cluster");
let folder: string;
let platform: Platform;
let token: string;
let admin: Feather;

async function start(changes: Record<string, string> = {}): Promise<void> {
  platform = await startPlatform(join(folder, "data"), {
    FEATHER_MODEL_HOST: "kubernetes",
    FEATHER_KUBERNETES: cluster.serverKubeconfig,
    FEATHER_KUBERNETES_NAMESPACE: cluster.namespace,
    FEATHER_KUBERNETES_ENGINE_IMAGE: cluster.engineImage,
    FEATHER_KUBERNETES_PULL_POLICY: "Never",
    FEATHER_KUBERNETES_HARDWARE: JSON.stringify(HARDWARE),
    FEATHER_PRELOAD: "off",
    ...changes,
  });
  ({ token, feather: admin } = await signInAsAdmin(platform.baseUrl));
}

async function restart(signal: NodeJS.Signals, changes: Record<string, string> = {}): Promise<void> {
  platform.process.kill(signal);
  await platform.ended;
  await start(changes);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-shared-models-"));
  chmodSync(folder, 0o711); // the database runs as another user
  await start();
});
afterAll(async () => {
  platform.process.kill("SIGTERM");
  await platform.ended;
  rmSync(folder, { recursive: true, force: true });
});

/** Calls until the model is loaded, which takes minutes where copying an image does. */
function chat(): Promise<{ status: number; text: string }> {
  return vi.waitFor(async () => {
    const answer = await call();
    expect(answer.text).not.toContain('"model_loading"');
    return answer;
  }, LOADING);
}

async function call(): Promise<{ status: number; text: string }> {
  const response = await fetch(`${platform.baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, "x-wait-for-model": "60" },
    body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Hello" }], max_tokens: 8 }),
  });
  return { status: response.status, text: await response.text() };
}

const list = (kinds: string) =>
  kubectl(cluster, "get", kinds, "-n", cluster.namespace, "-l", SELECTOR, "-o", "name").split("\n").filter(Boolean);
const waitForPods = (count: number) => vi.waitFor(() => expect(list("pods")).toHaveLength(count), POLL);

test("a shared model answers from a pod that its first call starts", async () => {
  expect(list("pods")).toEqual([]);
  const { status, text } = await chat();
  console.log(kubectl(cluster, "get", "deployments,pods", "-n", cluster.namespace, "-l", SELECTOR), text);
  expect(status).toBe(200);
  expect((await admin.admin.modelHost.get()).models).toMatchObject([{ model_id: MODEL, state: "warm", reason: null }]);
});

test("pods of shared models outlive a server that is killed, and the next one sends calls to them", async () => {
  const before = list("pods");
  await restart("SIGKILL");
  expect((await chat()).status).toBe(200);
  expect(list("pods")).toEqual(before);
});

test("an idle shared model has no pods until it is called again", async () => {
  await restart("SIGTERM", { FEATHER_MODEL_IDLE: "5" });
  await waitForPods(0);
  expect((await chat()).status).toBe(200);
});

test("why no pod of a shared model starts is what callers and administrators read", async () => {
  await waitForPods(0);
  const image = "docker.io/local/nothing:1";
  await restart("SIGTERM", { FEATHER_KUBERNETES_ENGINE_IMAGE: image });
  const reason = `The image ${image} is not on the node, and must not be pulled there.`;
  await vi.waitFor(async () => {
    const { status, text } = await call();
    expect([status, text]).toEqual([503, expect.stringContaining(reason)]);
  }, POLL);
  expect((await admin.admin.modelHost.get()).models).toMatchObject([{ model_id: MODEL, state: "failed", reason }]);
});

test("nothing of shared models is left in the cluster when they run on this machine again", async () => {
  await restart("SIGTERM", { FEATHER_MODEL_HOST: "local" });
  expect((await chat()).status).toBe(200);
  await vi.waitFor(() => expect(list(ALL_KINDS)).toEqual([]), POLL);
});
