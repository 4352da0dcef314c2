import { defineConfig } from "vitest/config";

/** Real programs from npm and PyPI against the running server. Needs the network, so it is no part of `npm test`. */
export default defineConfig({
  test: {
    include: ["e2e/clients/*.suite.ts"],
    testTimeout: 150_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
});
