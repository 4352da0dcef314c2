import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { ENGINE_IMAGE, loadImages, VLLM_IMAGE } from "./images.ts";

/** A running Kubernetes on this machine. */
export type RealCluster = {
  kubeconfig: string;
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

/** Builds Kubernetes if that has not been done, starts it, and loads the images. Needs root, Go, etcd and containerd. */
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
  } catch (error) {
    runScript("down.sh", state);
    throw error; // the logs stay, to be read
  }
  return { ...cluster, engineImage: ENGINE_IMAGE, vllmImage: VLLM_IMAGE };
}

/** Stops a cluster with all its pods and deletes its files. */
export function stopCluster({ state }: Pick<RealCluster, "state">): void {
  runScript("down.sh", state);
  rmSync(state, { recursive: true, force: true });
}

/** Runs kubectl as the cluster's admin. Returns what it prints. */
export function kubectl({ bin, kubeconfig }: Pick<RealCluster, "bin" | "kubeconfig">, ...args: string[]): string {
  return execFileSync(join(bin, "kubectl"), ["--kubeconfig", kubeconfig, ...args], {
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
}

function runScript(name: string, ...args: string[]): void {
  // What it starts in the background must not hold the pipes of this process open.
  execFileSync(join(import.meta.dirname, name), args, { stdio: ["ignore", "ignore", "inherit"] });
}
