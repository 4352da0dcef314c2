import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Container, PodObject, PodStatus, Store } from "./store.ts";

/** What happens to a pod, as the scheduler and the node's kubelet would report it. */
type Fate =
  | { does: "serves" }
  | { does: "waits"; reason: string; message: string }
  | { does: "ends"; exitCode: number; reason: string; message: string }
  | { does: "stays-pending"; message: string };

/** The pods that run in the cluster. */
export type Pods = {
  start(pod: PodObject): Promise<void>;
  stop(pod: PodObject): void;
  close(): void;
  logOf(name: string): string[];
};

const VLLM_OUT_OF_MEMORY =
  "ValueError: Free memory on device (3.22/79.15 GiB) on startup is less than desired GPU memory utilization (0.9, 71.24 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.";
const GPU = "nvidia.com/gpu";
const LOOPBACK = "127.0.0.1";
const GROUP_SIZE = "leaderworkerset.sigs.k8s.io/size";
const GROUP_KEY = "leaderworkerset.sigs.k8s.io/group-key";
const WORKER_INDEX = "leaderworkerset.sigs.k8s.io/worker-index";
/** A group whose pods end at once is made anew again and again, though not without pauses. */
const GROUP_RESTART_MS = 20;
/** A limit that no program here stays below. */
const TOO_LITTLE_MEMORY = "32Mi";

/** What an init container runs: its arguments, and its variables with the values of Secrets. */
export type InitRun = { args: readonly string[]; env: Readonly<Record<string, string>> };
/** Runs an init container, as a node does. Resolves to its exit status and the end of its log. */
export type RunInitContainer = (run: InitRun) => Promise<{ exitCode: number; message: string }>;

/**
 * Runs pods as HTTP servers on this machine. What becomes of a pod depends on its image, its resources, its model, and what
 * its init container ends with.
 */
export function createPods(store: Store, images: ReadonlySet<string>, runInitContainer: RunInitContainer): Pods {
  const servers = new Map<string, Server>();
  const logs = new Map<string, string[]>();

  async function start(pod: PodObject): Promise<void> {
    const { name, uid } = pod.metadata;
    logs.set(name, []);
    const fate = fateOf(pod, images);
    if (fate.does === "stays-pending") return setStatus(store, pod, pendingStatus(fate.message));
    if (fate.does === "waits") return setStatus(store, pod, statusOf(pod, { waiting: fate }));
    if (fate.does === "ends") {
      logs.set(name, [fate.message]);
      if (groupSizeOf(pod) > 1) await pause(GROUP_RESTART_MS);
      return setStatus(store, pod, endedStatus(pod, fate));
    }
    const [init] = pod.spec.initContainers ?? [];
    const end = init ? await runInitContainer({ args: init.args ?? [], env: readEnvironment(init, store) }) : null;
    if (init && end && end.exitCode !== 0) {
      logs.set(name, [end.message]);
      return setStatus(store, pod, endedInitStatus(init, end));
    }
    if (isWorker(pod)) {
      logs.set(name, ["INFO: joined the leader"]);
      return setStatus(store, pod, { ...statusOf(pod, { running: {} }), podIP: LOOPBACK, isReady: true });
    }
    setStatus(store, pod, statusOf(pod, { running: {} }));
    await untilWorkersRun(store, pod);
    if (store.get("pods", name)?.metadata.uid !== uid) return;
    const server = createServer((request, response) =>
      answer(pod, store, request.headers.authorization, request.url ?? "", response),
    );
    servers.set(uid, server);
    await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
    logs.set(name, ["INFO: Application startup complete."]);
    const { port } = server.address() as AddressInfo;
    setStatus(store, pod, { ...statusOf(pod, { running: {} }), podIP: LOOPBACK, port, isReady: true });
  }

  return {
    start,
    stop({ metadata: { name, uid } }) {
      servers.get(uid)?.closeAllConnections();
      servers.get(uid)?.close();
      servers.delete(uid);
      logs.delete(name);
    },
    close() {
      for (const server of servers.values()) {
        server.closeAllConnections();
        server.close();
      }
    },
    logOf: (name) => logs.get(name) ?? [],
  };
}

function fateOf(pod: PodObject, images: ReadonlySet<string>): Fate {
  const [container] = pod.spec.containers;
  const gpus = container.resources?.limits?.[GPU];
  if (gpus !== undefined)
    return {
      does: "stays-pending",
      message: `0/1 nodes are available: 1 Insufficient ${GPU}. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.`,
    };
  if (!images.has(container.image)) return imageFate(container);
  if (container.resources?.limits?.memory === TOO_LITTLE_MEMORY)
    return { does: "ends", exitCode: 137, reason: "OOMKilled", message: "" };
  const args = container.args ?? [];
  if (args.includes("acme/out-of-memory") || (args.includes("acme/worker-fails") && args.includes("--headless")))
    return { does: "ends", exitCode: 1, reason: "Error", message: VLLM_OUT_OF_MEMORY };
  return { does: "serves" };
}

function imageFate({ image, imagePullPolicy }: Container): Fate {
  if (imagePullPolicy === "Never")
    return {
      does: "waits",
      reason: "ErrImageNeverPull",
      message: `Container image "${image}" is not present with pull policy of Never`,
    };
  return {
    does: "waits",
    reason: "ImagePullBackOff",
    message: `Back-off pulling image "${image}": ErrImagePull: failed to resolve reference: not found`,
  };
}

function answer(
  pod: PodObject,
  store: Store,
  authorization: string | undefined,
  url: string,
  response: ServerResponse,
): void {
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (url === "/health") return void send(200, {});
  if (authorization !== `Bearer ${apiKeyOf(pod, store)}`) return void send(401, { error: "Unauthorized" });
  if (url !== "/v1/chat/completions") return void send(404, { detail: "Not Found" });
  const choice = { index: 0, message: { role: "assistant", content: "A pod says hello" }, finish_reason: "stop" };
  send(200, { id: "chatcmpl-1", object: "chat.completion", created: 1, model: "m", choices: [choice] });
}

type Variable = NonNullable<Container["env"]>[number];

/** The value of the container's first variable that comes from a Secret. */
function apiKeyOf(pod: PodObject, store: Store): string | undefined {
  const [container] = pod.spec.containers;
  return readVariable(container.env?.find(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined) ?? {}, store);
}

function readEnvironment({ env = [] }: Container, store: Store): Record<string, string> {
  const entries = env.map((variable) => [variable.name, readVariable(variable, store)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function readVariable({ value, valueFrom }: Variable, store: Store): string | undefined {
  const reference = valueFrom?.secretKeyRef;
  if (reference === undefined) return value;
  const encoded = store.get("secrets", reference.name)?.data?.[reference.key];
  return encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString();
}

/** Another pod may have the name by now. */
function setStatus(store: Store, { metadata: { name, uid } }: PodObject, status: PodStatus): void {
  const pod = store.get("pods", name);
  if (pod?.metadata.uid === uid) store.put("pods", { ...pod, status });
}

function groupSizeOf({ metadata }: PodObject): number {
  return Number(metadata.annotations?.[GROUP_SIZE] ?? 1);
}

function isWorker(pod: PodObject): boolean {
  return groupSizeOf(pod) > 1 && pod.metadata.labels?.[WORKER_INDEX] !== "0";
}

/** Resolves once the workers of a leader run, which then join it, or the leader is gone. */
function untilWorkersRun(store: Store, leader: PodObject): Promise<void> {
  const isReady = () => {
    if (store.get("pods", leader.metadata.name)?.metadata.uid !== leader.metadata.uid) return true;
    const running = store.list("pods").filter((pod) => isWorker(pod) && pod.status.isReady && isSameGroup(pod, leader));
    return running.length >= groupSizeOf(leader) - 1;
  };
  return new Promise((resolve) => {
    if (isReady()) return resolve();
    const unsubscribe = store.onChange(() => {
      if (!isReady()) return;
      unsubscribe();
      resolve();
    });
  });
}

function isSameGroup(a: PodObject, b: PodObject): boolean {
  return a.metadata.labels?.[GROUP_KEY] === b.metadata.labels?.[GROUP_KEY];
}

function pendingStatus(message: string) {
  const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
  return { phase: "Pending", conditions: [condition] };
}

function statusOf(pod: PodObject, state: object) {
  const [{ name, image }] = pod.spec.containers;
  const isRunning = "running" in state;
  return {
    phase: isRunning ? "Running" : "Pending",
    conditions: [{ type: "PodScheduled", status: "True" }],
    containerStatuses: [{ name, image, imageID: "", ready: isRunning, restartCount: 0, state }],
  };
}

function endedInitStatus({ name, image }: Container, { exitCode, message }: { exitCode: number; message: string }) {
  const waiting = { reason: "CrashLoopBackOff", message: "back-off restarting failed container" };
  const terminated = { exitCode, reason: "Error", message };
  const container = { name, image, imageID: "", ready: false, restartCount: 2, state: { waiting } };
  return {
    phase: "Pending",
    conditions: [{ type: "PodScheduled", status: "True" }],
    initContainerStatuses: [{ ...container, lastState: { terminated } }],
    hasRestarted: true,
  };
}

function endedStatus(pod: PodObject, { exitCode, reason, message }: Fate & { does: "ends" }) {
  const [{ name, image }] = pod.spec.containers;
  const waiting = { reason: "CrashLoopBackOff", message: "back-off restarting failed container" };
  const terminated = { exitCode, reason, message };
  const container = {
    name,
    image,
    imageID: "",
    ready: false,
    restartCount: 2,
    state: { waiting },
    lastState: { terminated },
  };
  const conditions = [{ type: "PodScheduled", status: "True" }];
  return { phase: "Running", conditions, containerStatuses: [container], hasRestarted: true };
}
