import { defineConfig } from "vitest/config";

/** Runs real programs from npm and PyPI against the server. It needs the network, so it is not part of `npm test`. */
export default defineConfig({
  test: {
    include: ["e2e/clients/*.suite.ts"],
    testTimeout: 150_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
});
