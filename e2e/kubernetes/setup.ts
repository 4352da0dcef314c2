import type { TestProject } from "vitest/node";
import { type RealCluster, startCluster, stopCluster } from "./cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    cluster: RealCluster;
  }
}

/** Starts one cluster for all suites. */
export default function setup(project: TestProject): () => void {
  const cluster = startCluster();
  project.provide("cluster", cluster);
  return () => stopCluster(cluster);
}
