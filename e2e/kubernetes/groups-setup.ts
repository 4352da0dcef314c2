import type { TestProject } from "vitest/node";
import { addNode, FIRST_NODE, kubectl, type RealCluster, startCluster, stopCluster } from "./cluster.ts";
import { startLeaderWorkerSets } from "./leader-worker-sets.ts";

/** What nodes have in place of GPUs, and how much of it. */
const GPU_CAPACITY = { op: "add", path: "/status/capacity/example.com~1gpu", value: "4" };

/** Starts a cluster of two nodes with LeaderWorkerSets. */
export default async function setup(project: TestProject): Promise<() => void> {
  const cluster = startCluster();
  let stopController = () => {};
  const stop = () => {
    stopController();
    stopCluster(cluster);
  };
  try {
    for (const node of [FIRST_NODE, addNode(cluster)]) addGpus(cluster, node);
    stopController = await startLeaderWorkerSets(cluster);
  } catch (error) {
    stop();
    throw error;
  }
  project.provide("cluster", cluster);
  return stop;
}

/** Says that a node has GPUs, as the plugin of a device does. */
function addGpus(cluster: RealCluster, node: string): void {
  const patch = JSON.stringify([GPU_CAPACITY]);
  kubectl(cluster, "patch", "node", node, "--subresource=status", "--type=json", "-p", patch);
}
