import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseAllDocuments } from "yaml";
import { kubectl, type RealCluster } from "./cluster.ts";

const RESOURCE = "leaderworkersets.leaderworkerset.x-k8s.io";
/** The address at which the API server calls the controller. It runs on the host, not in a pod. */
const HOST = "127.0.0.1";
const PORT = 9443;
const MAX_ATTEMPTS = 100;
const ATTEMPT_PERIOD_MS = 500;
const SET_LABEL = "leaderworkerset.sigs.k8s.io/name";

type Webhook = {
  name: string;
  clientConfig: { service?: { path: string }; url?: string; caBundle?: string };
  objectSelector?: object;
};

/** Installs LeaderWorkerSets and starts their controller, the project's own. Returns what stops it. */
export async function startLeaderWorkerSets(cluster: RealCluster): Promise<() => void> {
  const folder = join(cluster.state, "lws");
  mkdirSync(folder, { recursive: true });
  await installKinds(cluster);
  const certificate = createCertificate(folder);
  const controller = startController(cluster, folder);
  await retry(() => fetch(`http://${HOST}:8081/readyz`));
  const webhooks = writeWebhooks(join(configOf(cluster), "webhook/manifests.yaml"), folder, certificate);
  kubectl(cluster, "apply", "-f", webhooks);
  return () => void controller.kill();
}

/** Makes the kind known to the API server, and what else its controller asks for. */
export async function installKinds(cluster: RealCluster): Promise<void> {
  kubectl(cluster, "apply", "--server-side", "-f", join(configOf(cluster), "crd/bases"));
  await retry(async () => kubectl(cluster, "get", RESOURCE));
}

/** Takes the kind from the API server, with all objects of it. */
export function removeKind(cluster: RealCluster): void {
  kubectl(cluster, "delete", "crd", RESOURCE);
}

/** Does it until it succeeds. The set-up of tests has no `vi.waitFor`. */
async function retry(attempt: () => Promise<unknown>): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (attempts === MAX_ATTEMPTS) throw error;
      await pause(ATTEMPT_PERIOD_MS);
    }
  }
}

function configOf({ bin }: RealCluster): string {
  return join(bin, "lws-config");
}

function createCertificate(folder: string): string {
  const files = ["-keyout", join(folder, "tls.key"), "-out", join(folder, "tls.crt")];
  const names = ["-subj", "/CN=lws", "-addext", `subjectAltName=IP:${HOST}`];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...names, ...files], {
    stdio: "ignore",
  });
  return readFileSync(join(folder, "tls.crt")).toString("base64");
}

function startController(cluster: RealCluster, folder: string): ChildProcess {
  const config = join(folder, "config.json");
  writeFileSync(
    config,
    JSON.stringify({
      apiVersion: "config.lws.x-k8s.io/v1alpha1",
      kind: "Configuration",
      webhook: { host: HOST, port: PORT, certDir: folder },
      leaderElection: { leaderElect: false },
      metrics: { bindAddress: "0" },
      health: { healthProbeBindAddress: `${HOST}:8081` },
      internalCertManagement: { enable: false },
    }),
  );
  const log = openSync(join(folder, "controller.log"), "w");
  return spawn(join(cluster.bin, "lws-manager"), ["--config", config, "--kubeconfig", cluster.kubeconfig], {
    stdio: ["ignore", log, log],
  });
}

/**
 * Writes the webhooks of the controller's manifests, with addresses in place of a Service, and returns the path. As
 * with the controller's chart, only pods of LeaderWorkerSets are sent to the webhook of pods.
 */
function writeWebhooks(manifests: string, folder: string, caBundle: string): string {
  const items = parseAllDocuments(readFileSync(manifests, "utf8"))
    .map((document) => document.toJS() as { metadata: { name: string }; webhooks: Webhook[] })
    .map(({ metadata, webhooks, ...rest }) => ({
      ...rest,
      metadata: { name: `lws-${metadata.name}` },
      webhooks: webhooks.map((webhook) => ({
        ...webhook,
        clientConfig: { url: `https://${HOST}:${PORT}${webhook.clientConfig.service?.path}`, caBundle },
        ...(webhook.name.includes("pod") && {
          objectSelector: { matchExpressions: [{ key: SET_LABEL, operator: "Exists" }] },
        }),
      })),
    }));
  const file = join(folder, "webhooks.json");
  writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  return file;
}
