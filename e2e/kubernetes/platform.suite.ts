import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@feather/testing/free-port";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { createCli } from "../support/cli.ts";
import { type Platform, startPlatform } from "../support/platform.ts";
import { kubectl } from "./cluster.ts";

/** The deployment that the tests share: they are steps of one life. */
const MANIFEST = `name: support-bot
provider_id: kubernetes
region: cluster
instance_type: cpu
model_id: feather/demo
min_replicas: 2
max_replicas: 2
engine_args: { context: 512 }
`;
const ALL_KINDS = "deployments,pods,services,secrets,poddisruptionbudgets,networkpolicies,endpointslices";
const HARDWARE = [{ id: "cpu", cpu: "50m", memory: "512Mi" }];

const cluster = inject("cluster");
let folder: string;
let port: number;
let platform: Platform;
let token: string;
let id: string;

const start = () =>
  startPlatform(join(folder, "data"), {
    FEATHER_PORT: String(port),
    FEATHER_KUBERNETES: cluster.serverKubeconfig,
    FEATHER_KUBERNETES_NAMESPACE: cluster.namespace,
    FEATHER_KUBERNETES_ENGINE_IMAGE: cluster.engineImage,
    FEATHER_KUBERNETES_PULL_POLICY: "Never",
    FEATHER_KUBERNETES_HARDWARE: JSON.stringify(HARDWARE),
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-kubernetes-"));
  chmodSync(folder, 0o711); // the database runs as another user
  port = await freePort();
  platform = await start();
  ({ token } = await signInAsAdmin(platform.baseUrl));
});
afterAll(async () => {
  platform.process.kill("SIGTERM");
  await platform.ended;
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command line of the terminal program, and prints both the line and its output. */
async function feather(line: string): Promise<{ code: number | null; stdout: string }> {
  const cli = createCli({ baseUrl: platform.baseUrl, token });
  const { code, stdout, stderr } = await cli.run(line, { cwd: folder });
  console.log(`$ feather ${line}\n${stdout}${stderr}`.trimEnd());
  return { code, stdout };
}

async function show<T>(path = ""): Promise<T> {
  const response = await fetch(`${platform.baseUrl}/api/feather/private-cloud/deployments/${id}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await response.json()) as T;
}

async function call(): Promise<{ status: number; text: string }> {
  const response = await fetch(`${platform.baseUrl}/api/deployments/${id}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: "feather/demo", messages: [{ role: "user", content: "Hello" }], max_tokens: 8 }),
  });
  return { status: response.status, text: await response.text() };
}

/** Calls from four callers at a time until the work is done. Returns the statuses of all answers. */
async function callDuring(work: () => Promise<unknown>): Promise<number[]> {
  const statuses: number[] = [];
  let isDone = false;
  const caller = async () => {
    while (!isDone) statuses.push((await call()).status);
  };
  const callers = Array.from({ length: 4 }, caller);
  await work().finally(() => {
    isDone = true;
  });
  await Promise.all(callers);
  return statuses;
}

type Shown = { state: string; state_reason: string | null; ready_replicas: number };
type Replicas = { items: { name: string; state: string; reason: string | null }[] };

const readyReplicas = async (count: number) =>
  waitFor(async () => expect(await show<Shown>()).toMatchObject({ state: "running", ready_replicas: count }));
const podNames = async () => (await show<Replicas>("/replicas")).items.map(({ name }) => name).sort();

test("a file becomes a deployment whose pods answer", async () => {
  writeFileSync(join(folder, "deployment.yaml"), MANIFEST);
  expect((await feather("deployments apply -f deployment.yaml --yes --wait --timeout 120")).code).toBe(0);
  const { stdout } = await feather("deployments list --json id,name,state,ready_replicas");
  const [deployment] = JSON.parse(stdout) as { id: string }[];
  id = deployment?.id ?? "";
  await readyReplicas(2);
  const answer = await call();
  console.log(`> chat\n${answer.text}`);
  expect(answer.status).toBe(200);
  console.log(kubectl(cluster, "get", "deployments,pods,services,poddisruptionbudgets", "-n", cluster.namespace));
  expect((await feather("deployments logs support-bot --tail 4")).code).toBe(0);
});

test("a pod that dies costs no call, and is replaced", async () => {
  const [victim = ""] = await podNames();
  const statuses = await callDuring(async () => {
    kubectl(cluster, "delete", "pod", victim, "-n", cluster.namespace, "--grace-period=0", "--force");
    await waitFor(async () => expect(await podNames()).not.toContain(victim));
    await readyReplicas(2);
  });
  console.log(`${statuses.length} calls while a pod was killed and replaced`);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("a node that is drained costs no call, and the person learns that no node is left", async () => {
  const [node = ""] = kubectl(cluster, "get", "nodes", "-o", "name").trim().split("\n");
  const statuses = await callDuring(async () => {
    kubectl(cluster, "cordon", node);
    const [pod = ""] = await podNames();
    evict(pod);
    await waitFor(async () => {
      const { state_reason } = await show<Shown>();
      expect(state_reason).toMatch(
        /^No node has room for it: 0\/1 nodes are available: 1 node\(s\) were unschedulable/,
      );
    });
    // The budget keeps the last pod until another is ready.
    const [last = ""] = (await show<Replicas>("/replicas")).items.flatMap(({ name, state }) =>
      state === "ready" ? name : [],
    );
    expect(() => evict(last)).toThrow(/disruption budget/);
    kubectl(cluster, "uncordon", node);
    await readyReplicas(2);
  });
  console.log(`${statuses.length} calls while a node was drained`);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

/** What a drain asks for each pod of a node. */
function evict(pod: string): void {
  const file = join(folder, "eviction.json");
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: pod, namespace: cluster.namespace } };
  writeFileSync(file, JSON.stringify(eviction));
  kubectl(cluster, "create", "--raw", `/api/v1/namespaces/${cluster.namespace}/pods/${pod}/eviction`, "-f", file);
}

test("pods answer on while the API server is gone, and changes come when it is back", async () => {
  const restart = killApiServer();
  try {
    expect((await call()).status).toBe(200);
    expect((await feather("deployments scale support-bot 1")).code).toBe(0);
    expect((await call()).status).toBe(200);
  } finally {
    restart();
  }
  await readyReplicas(1);
  await waitFor(async () => expect(await podNames()).toHaveLength(1));
});

/** Kills the API server. Returns a function that starts it again with the same arguments. */
function killApiServer(): () => void {
  const pids = readFileSync(join(cluster.state, "pids"), "utf8").trim().split("\n").map(Number);
  const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  const pid = pids.find((one) => commandOf(one)[0]?.endsWith("/kube-apiserver")) ?? 0;
  const [program = "", ...args] = commandOf(pid);
  process.kill(pid, "SIGKILL");
  return () => {
    const server = spawn(program, args, { cwd: cluster.state, stdio: "ignore", detached: true });
    server.unref();
    const list = pids.map((one) => (one === pid ? server.pid : one));
    writeFileSync(join(cluster.state, "pids"), `${list.join("\n")}\n`);
  };
}

test("pods outlive a server that is killed, and the next one adopts them", async () => {
  const before = await podNames();
  platform.process.kill("SIGKILL");
  await platform.ended;
  platform = await start();
  await waitFor(async () => expect((await call()).status).toBe(200));
  expect(await podNames()).toEqual(before);
});

test("a paused deployment has no pods, and a deleted one leaves nothing", async () => {
  expect((await feather("deployments pause support-bot")).code).toBe(0);
  await waitFor(async () => expect(await podNames()).toEqual([]));
  expect((await feather("deployments delete support-bot --yes")).code).toBe(0);
  const left = () =>
    kubectl(cluster, "get", ALL_KINDS, "-n", cluster.namespace, "-l", `feather/deployment=${id}`, "-o", "name");
  await waitFor(() => expect(left()).toBe(""));
  await waitFor(async () => expect((await feather("deployments list --json id")).stdout.trim()).toBe("[]"));
});
