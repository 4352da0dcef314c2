import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { kubectl, type RealCluster } from "./cluster.ts";

/** The folder of the chart. */
export const CHART = fileURLToPath(new URL("../../deploy/helm/feather", import.meta.url));
/** The user of the server's image. */
export const USER_ID = 10_001;
const NAME = "feather";
const SELECTOR = `app.kubernetes.io/instance=${NAME}`;
const READY_TIMEOUT = "300s";

/** A pod of the server that is not ending. */
export type ServerPod = { name: string; url: string; isReady: boolean; containerId: string };

type PodJson = {
  metadata: { name: string; deletionTimestamp?: string };
  status: {
    podIP?: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: { containerID?: string }[];
  };
};

const execute = promisify(execFile);

/** A release of the chart, in a namespace that is made for it. */
export function createRelease(cluster: RealCluster, namespace: string) {
  kubectl(cluster, "create", "namespace", namespace);
  const inNamespace = ["--namespace", namespace];
  /** Runs kubectl in the namespace without blocking this process. Returns its output. */
  const run = async (...args: string[]) =>
    (await execute(join(cluster.bin, "kubectl"), ["--kubeconfig", cluster.kubeconfig, ...inNamespace, ...args])).stdout;
  return {
    name: NAME,
    namespace,
    kubectl: run,
    /** Runs helm in the namespace without blocking this process. Returns its output. */
    helm: async (...args: string[]) =>
      (await execute("helm", [...args, "--kubeconfig", cluster.kubeconfig, ...inNamespace])).stdout,
    apply: (items: readonly object[]) =>
      run("apply", "-f", writeJson(cluster, `${namespace}-objects`, { apiVersion: "v1", kind: "List", items })),
    /** Writes values of the chart; returns the path of their file. */
    writeValues: (values: object) => writeJson(cluster, `${namespace}-values`, values),
    /** Waits until the pods are those of the last change, and ready. */
    waitForRollout: () => run("rollout", "status", `deployment/${NAME}`, "--timeout", READY_TIMEOUT),
    async pods(): Promise<ServerPod[]> {
      const { items } = JSON.parse(await run("get", "pods", "-l", SELECTOR, "-o", "json")) as { items: PodJson[] };
      return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(toServerPod);
    },
  };
}

/** A release of the chart. */
export type Release = ReturnType<typeof createRelease>;

function toServerPod({ metadata, status }: PodJson): ServerPod {
  const { podIP = "", conditions = [], containerStatuses = [] } = status;
  return {
    name: metadata.name,
    url: `http://${podIP}:4000`,
    isReady: conditions.some(({ type, status: is }) => type === "Ready" && is === "True"),
    containerId: containerStatuses[0]?.containerID?.replace("containerd://", "") ?? "",
  };
}

function writeJson({ state }: RealCluster, name: string, content: object): string {
  const file = join(state, `${name}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}
