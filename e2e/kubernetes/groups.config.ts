import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Runs what needs two nodes and the controller of LeaderWorkerSets, in a cluster of its own. */
export default defineConfig({
  test: {
    include: [
      "e2e/kubernetes/leader-worker-set.suite.ts",
      "packages/server/src/modules/deployments/kubernetes/kubernetes-groups.suite.ts",
    ],
    globalSetup: fileURLToPath(new URL("groups-setup.ts", import.meta.url)),
    testTimeout: 300_000,
    hookTimeout: 900_000,
    fileParallelism: false,
    bail: 1,
  },
});
