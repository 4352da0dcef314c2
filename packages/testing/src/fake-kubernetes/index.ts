import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RecordedRequest, startHttpServer } from "../http-server.ts";
import { applyFields, mergePatch } from "./apply.ts";
import { runControllers } from "./controllers.ts";
import { terminate } from "./pod-life.ts";
import { createPods, type RunInitContainer } from "./pods.ts";
import { createValidation } from "./schemas.ts";
import { type Change, createStore, type NewObject, type Plural, type StoredObject } from "./store.ts";

export type { InitRun, RunInitContainer } from "./pods.ts";
export { createValidation } from "./schemas.ts";

/** A fault of the API server: the requests that it affects, their answer, and how often. */
export type ClusterFault = {
  method?: string;
  /** Part of the path, such as `deployments` or `watch=true`. */
  path?: string;
  answer: { status: number; reason: string; message: string; retryAfter?: number } | "nothing" | "broken-connection";
  /** Unlimited by default. */
  times?: number;
};

/** Options of the stand-in: the images that its nodes have. */
export type FakeKubernetesOptions = {
  namespace: string;
  images: readonly string[];
  /** Whether LeaderWorkerSets are installed from the start; they are by default. */
  hasLeaderWorkerSets?: boolean;
  /** Runs the init containers of pods; they end well by default. */
  runInitContainer?: RunInitContainer;
};

const KINDS: Readonly<Record<Plural, string>> = {
  secrets: "Secret",
  services: "Service",
  pods: "Pod",
  events: "Event",
  deployments: "Deployment",
  leaderworkersets: "LeaderWorkerSet",
  poddisruptionbudgets: "PodDisruptionBudget",
  networkpolicies: "NetworkPolicy",
  endpointslices: "EndpointSlice",
};
const PATH = /^\/(?:api|apis\/[^/]+)\/[^/]+\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?(?:\/(log))?$/;

/** An error as the API server answers it. */
class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/**
 * A stand-in for a Kubernetes cluster, written from the API's documentation: objects with server-side apply, watches that
 * resume or expire, and the controllers that make pods and their endpoints. Written objects are validated with schemas
 * that were recorded from a real API server. Pods are HTTP servers on this machine.
 */
export async function startFakeKubernetes({
  namespace,
  images,
  hasLeaderWorkerSets = true,
  runInitContainer = async () => ({ exitCode: 0, message: "" }),
}: FakeKubernetesOptions) {
  const store = createStore();
  const pods = createPods(store, new Set(images), runInitContainer);
  const validate = createValidation();
  const stopControllers = runControllers(store, pods);
  const token = randomBytes(16).toString("hex");
  const folder = mkdtempSync(join(tmpdir(), "fake-kubernetes-"));
  const applied = new Map<string, object>();
  const watchers = new Set<ServerResponse>();
  let faults: ClusterFault[] = [];
  let knowsLeaderWorkerSets = hasLeaderWorkerSets;

  const server = await startHttpServer((request, response) => {
    const fault = takeFault(request);
    if (fault) {
      answerFault(response, fault);
      return;
    }
    try {
      if (request.headers.authorization !== `Bearer ${token}`)
        throw new StatusError(401, "Unauthorized", "Unauthorized");
      handle(request, response);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      sendStatus(response, error.code, error.reason, error.message);
    }
  });

  function takeFault({ method, url }: RecordedRequest): ClusterFault | undefined {
    const fault = faults.find((one) => (one.method ?? method) === method && url.includes(one.path ?? ""));
    if (fault?.times !== undefined) {
      fault.times -= 1;
      if (fault.times <= 0) faults = faults.filter((one) => one !== fault);
    }
    return fault;
  }

  function handle(request: RecordedRequest, response: ServerResponse): void {
    const url = new URL(request.url, "http://cluster");
    const [, space, plural = "", name, log] = PATH.exec(url.pathname) ?? [];
    if (!isPlural(plural) || (plural === "leaderworkersets" && !knowsLeaderWorkerSets))
      throw new StatusError(404, "NotFound", "the server could not find the requested resource");
    const isListing = request.method === "GET" && name === undefined;
    if (space !== namespace) {
      if (!isListing) throw new StatusError(404, "NotFound", `namespaces "${space}" not found`);
      sendList(response, plural, []);
    } else if (log) sendLog(response, name ?? "");
    else if (isListing) (url.searchParams.get("watch") ? watch : list)(response, plural, url);
    else if (request.method === "PATCH") patch(request, response, plural, name ?? "", url);
    else readOrDelete(request, response, plural, name ?? "");
  }

  function readOrDelete({ method }: RecordedRequest, response: ServerResponse, plural: Plural, name: string): void {
    const existing = store.get(plural, name);
    if (!existing) throw new StatusError(404, "NotFound", `${plural} "${name}" not found`);
    if (method === "DELETE") remove(plural, existing);
    send(response, 200, existing);
  }

  function list(response: ServerResponse, plural: Plural, url: URL): void {
    const items: StoredObject[] = store.list(plural);
    sendList(response, plural, items.filter(matching(url)));
  }

  function sendList(response: ServerResponse, plural: Plural, items: StoredObject[]): void {
    // Items of a list have no `apiVersion` and `kind`.
    const bare = items.map(({ apiVersion: _, kind: __, ...item }) => item);
    send(response, 200, {
      kind: `${KINDS[plural]}List`,
      metadata: { resourceVersion: String(store.version()) },
      items: bare,
    });
  }

  function watch(response: ServerResponse, plural: Plural, url: URL): void {
    const isMatching = matching(url);
    const report = (change: Change) => {
      if (change.plural === plural && isMatching(change.object))
        response.write(`${JSON.stringify({ type: change.type, object: change.object })}\n`);
    };
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    const missed = store.changesAfter(Number(url.searchParams.get("resourceVersion")));
    if (missed === null) {
      const status = toStatus(410, "Expired", "too old resource version");
      response.end(`${JSON.stringify({ type: "ERROR", object: status })}\n`);
      return;
    }
    for (const change of missed) report(change);
    const unsubscribe = store.onChange(report);
    watchers.add(response);
    response.on("close", () => {
      unsubscribe();
      watchers.delete(response);
    });
  }

  function patch(request: RecordedRequest, response: ServerResponse, plural: Plural, name: string, url: URL): void {
    const kind = KINDS[plural];
    const existing = store.get(plural, name);
    const body = JSON.parse(request.body);
    if (request.headers["content-type"] !== "application/apply-patch+yaml") {
      if (!existing) throw new StatusError(404, "NotFound", `${plural} "${name}" not found`);
      send(response, 200, store.put(plural, mergePatch(existing, body) as NewObject<Plural>));
      return;
    }
    if (!url.searchParams.get("fieldManager")) throw new StatusError(422, "Invalid", "fieldManager: Required value");
    const problem = validate(kind, body);
    if (problem !== null) throw new StatusError(422, "Invalid", `${kind} "${name}" is invalid: ${problem}`);
    if (existing?.metadata.deletionTimestamp)
      throw new StatusError(409, "Conflict", `${plural} "${name}" is being deleted`);
    const key = `${plural}/${name}/${existing?.metadata.uid}`;
    const stored = store.put(plural, applyFields(existing, applied.get(key), body) as NewObject<Plural>);
    applied.set(`${plural}/${name}/${stored.metadata.uid}`, body);
    send(response, existing ? 200 : 201, stored);
  }

  /** Deletes in the foreground: what depends on an object goes first. */
  function remove(plural: Plural, { metadata: { name } }: StoredObject): void {
    const pod = plural === "pods" ? store.get("pods", name) : undefined;
    const deployment = plural === "deployments" ? store.get("deployments", name) : undefined;
    const set = plural === "leaderworkersets" ? store.get("leaderworkersets", name) : undefined;
    const deletionTimestamp = new Date().toISOString();
    if (pod) terminate(store, pod);
    else if (deployment)
      store.put("deployments", { ...deployment, metadata: { deletionTimestamp, ...deployment.metadata } });
    else if (set) store.put("leaderworkersets", { ...set, metadata: { deletionTimestamp, ...set.metadata } });
    else store.delete(plural, name);
  }

  function sendLog(response: ServerResponse, name: string): void {
    const pod = store.get("pods", name);
    if (!pod) throw new StatusError(404, "NotFound", `pods "${name}" not found`);
    const lines = pods.logOf(name).map((line) => `${pod.metadata.creationTimestamp} ${line}\n`);
    response.writeHead(200, { "content-type": "text/plain" }).end(lines.join(""));
  }

  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, JSON.stringify(toKubeconfig(server.url, token)));

  return {
    url: server.url,
    /** The path of a kubeconfig for it. */
    kubeconfig,
    requests: server.requests,
    store,
    /** Adds a fault; returns a function that ends it. */
    fail(fault: ClusterFault): () => void {
      faults.push(fault);
      return () => {
        faults = faults.filter((one) => one !== fault);
      };
    },
    /** Ends all watches in the middle. */
    breakWatches(): void {
      for (const response of watchers) response.destroy();
    },
    /** Forgets all changes so far and breaks the watches, so that they cannot resume. */
    expireWatches(): void {
      store.compact();
      for (const response of watchers) response.destroy();
    },
    /** Installs the kind LeaderWorkerSet, as an operator does. */
    installLeaderWorkerSets(): void {
      knowsLeaderWorkerSets = true;
    },
    /** Makes the cluster refuse pods, as a used-up quota does. */
    refusePods(name: string, message: string): void {
      const deployment = store.get("deployments", name);
      const condition = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message };
      if (deployment)
        store.put("deployments", { ...deployment, status: { ...deployment.status, conditions: [condition] } });
    },
    async close(): Promise<void> {
      stopControllers();
      pods.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A running stand-in for a cluster. */
export type FakeKubernetes = Awaited<ReturnType<typeof startFakeKubernetes>>;

function isPlural(text: string): text is Plural {
  return text in KINDS;
}

function matching(url: URL): (object: StoredObject) => boolean {
  const selector = url.searchParams.get("labelSelector") ?? "";
  const required = selector
    .split(",")
    .filter(Boolean)
    .map((part) => part.split("="));
  return ({ metadata }) => required.every(([name = "", value]) => metadata.labels?.[name] === value);
}

function answerFault(response: ServerResponse, { answer }: ClusterFault): void {
  if (answer === "nothing") return;
  if (answer === "broken-connection") return void response.destroy();
  const { status, reason, message, retryAfter } = answer;
  if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
  sendStatus(response, status, reason, message);
}

function toStatus(code: number, reason: string, message: string) {
  return { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message };
}

function sendStatus(response: ServerResponse, code: number, reason: string, message: string): void {
  send(response, code, toStatus(code, reason, message));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function toKubeconfig(server: string, token: string) {
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "fake", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "fake", user: { token } }],
    contexts: [{ name: "fake", context: { cluster: "fake", user: "fake" } }],
    "current-context": "fake",
  };
}
