import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/**
 * Runs a real Kubernetes on this machine. It needs root, Go, etcd, containerd and iptables, and builds Kubernetes the
 * first time, so it is not part of `npm test`.
 */
export default defineConfig({
  test: {
    include: ["e2e/kubernetes/*.suite.ts", "packages/server/src/hosting/deployments/kubernetes/*.suite.ts"],
    exclude: ["**/leader-worker-set.suite.ts", "**/kubernetes-groups.suite.ts"], // groups.config.ts has these
    globalSetup: fileURLToPath(new URL("setup.ts", import.meta.url)),
    testTimeout: 300_000,
    hookTimeout: 900_000,
    fileParallelism: false,
    // The tests of the platform are steps of one life.
    bail: 1,
  },
});
