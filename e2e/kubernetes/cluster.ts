import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { ENGINE_IMAGE, loadImages, loadVllmImage, VLLM_IMAGE } from "./images.ts";

/** A running Kubernetes on this machine. */
export type RealCluster = {
  /** The admin's. */
  kubeconfig: string;
  /** Of a service account with the rights that the Helm chart gives the server, and no others. */
  serverKubeconfig: string;
  namespace: string;
  engineImage: string;
  vllmImage: string;
  /** The folder of its programs. */
  bin: string;
  /** The folder of its files and logs. */
  state: string;
};

/** Kept between runs: building takes some minutes. */
const DEFAULT_BIN = join(homedir(), ".cache/feather-kubernetes");
/** The API's documents have more than a megabyte. */
const MAX_OUTPUT_BYTES = 16 * 1024 ** 2;
const NAMESPACE = "feather";
const SERVER_KUBECONFIG = "server-kubeconfig";
const RULES = fileURLToPath(new URL("../../deploy/helm/feather/files/role-rules.yaml", import.meta.url));

/** Builds Kubernetes if that has not been done, starts it, and loads the images. Needs root, Go, etcd, containerd and iptables. */
export function startCluster(): RealCluster {
  const bin = process.env.KUBERNETES_BIN ?? DEFAULT_BIN;
  mkdirSync(bin, { recursive: true });
  if (!existsSync(join(bin, "kubelet"))) console.log(`Building Kubernetes into ${bin}; this takes some minutes.`);
  runScript("build.sh", bin);
  const state = mkdtempSync(join(tmpdir(), "kubernetes-"));
  const cluster = { kubeconfig: join(state, "kubeconfig"), namespace: NAMESPACE, bin, state };
  try {
    runScript("up.sh", bin, state);
    loadImages(state);
    kubectl(cluster, "create", "namespace", NAMESPACE);
    createServiceAccount(cluster);
  } catch (error) {
    runScript("down.sh", bin, state);
    throw error; // the logs stay, to be read
  }
  return {
    ...cluster,
    serverKubeconfig: join(state, SERVER_KUBECONFIG),
    engineImage: ENGINE_IMAGE,
    vllmImage: VLLM_IMAGE,
  };
}

/** Stops a cluster with all its pods and deletes its files. */
export function stopCluster({ bin, state }: Pick<RealCluster, "bin" | "state">): void {
  runScript("down.sh", bin, state);
  rmSync(state, { recursive: true, force: true });
}

/** The name of the node that every cluster has. */
export const FIRST_NODE = "localhost";
/** The address of the second node on this machine, which is its name and its folder too. */
const SECOND_NODE = "127.0.0.2";

/** Starts another node with the image of the stand-in for vLLM. Returns its name. */
export function addNode({ bin, state }: Pick<RealCluster, "bin" | "state">): string {
  runScript("node.sh", bin, state, SECOND_NODE, SECOND_NODE, SECOND_NODE);
  loadVllmImage(state, join(state, SECOND_NODE));
  return SECOND_NODE;
}

/** Runs kubectl as the cluster's admin. Returns its output. */
export function kubectl({ bin, kubeconfig }: Pick<RealCluster, "bin" | "kubeconfig">, ...args: string[]): string {
  return execFileSync(join(bin, "kubectl"), ["--kubeconfig", kubeconfig, ...args], {
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
}

/** Makes what the chart makes for the server, and a kubeconfig with it. */
function createServiceAccount(cluster: Pick<RealCluster, "bin" | "kubeconfig" | "state">): void {
  const [name, namespace] = ["feather", NAMESPACE];
  const group = "rbac.authorization.k8s.io";
  const objects = [
    { apiVersion: "v1", kind: "ServiceAccount" },
    { apiVersion: `${group}/v1`, kind: "Role", rules: parse(readFileSync(RULES, "utf8")) },
    {
      apiVersion: `${group}/v1`,
      kind: "RoleBinding",
      roleRef: { apiGroup: group, kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    },
  ];
  const items = objects.map((object) => ({ ...object, metadata: { name, namespace } }));
  const file = join(cluster.state, "service-account.json");
  writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  kubectl(cluster, "apply", "-f", file);
  const token = kubectl(cluster, "create", "token", name, "-n", namespace, "--duration", "24h").trim();
  const admin = readFileSync(cluster.kubeconfig, "utf8");
  writeFileSync(join(cluster.state, SERVER_KUBECONFIG), admin.replace(/token: \w+/, `token: ${token}`));
}

function runScript(name: string, ...args: string[]): void {
  // The output is not piped: background processes of the script would keep the pipes open, and this call would not
  // return.
  execFileSync(join(import.meta.dirname, name), args, { stdio: ["ignore", "ignore", "inherit"] });
}
