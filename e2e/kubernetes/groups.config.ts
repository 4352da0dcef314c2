import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Runs the tests that need two nodes and the controller of LeaderWorkerSets, in their own cluster. */
export default defineConfig({
  test: {
    include: [
      "e2e/kubernetes/leader-worker-set.suite.ts",
      "packages/server/src/hosting/deployments/kubernetes/kubernetes-groups.suite.ts",
    ],
    globalSetup: fileURLToPath(new URL("groups-setup.ts", import.meta.url)),
    testTimeout: 300_000,
    hookTimeout: 900_000,
    fileParallelism: false,
    bail: 1,
  },
});
