import { defineConfig } from "vitest/config";

/** Runs real models from PyPI on the server. It needs the network, so it is not part of `npm test`. */
export default defineConfig({
  test: {
    include: ["e2e/models/*.suite.ts"],
    testTimeout: 300_000,
    hookTimeout: 900_000,
    fileParallelism: false,
  },
});
