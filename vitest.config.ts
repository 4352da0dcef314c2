import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Ends a test that hangs. Long enough for a busy machine: how long a test takes decides nothing. */
const HANG_LIMIT_MS = 300_000;
const LIMITS = {
  testTimeout: HANG_LIMIT_MS,
  hookTimeout: HANG_LIMIT_MS,
  expect: { poll: { timeout: HANG_LIMIT_MS / 2 } },
};

/** End-to-end tests wait for browsers and processes, so that three of them use two cores. Each has a platform of its own. */
const E2E_WORKERS = 3;

/** Suites wait for the database about a third of the time, so at least three run in parallel, even on a small machine. */
const WORKERS = Math.max(3, Math.floor(availableParallelism() / 2));

// Importing takes longer than most tests: where modules keep no state, the files of a project share them (`isolate: false`).

const exclude = ["**/node_modules/**", "**/dist/**", "**/dist-types/**"];

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    reporters: ["default", "./scripts/summary-reporter.ts"],
    projects: [
      { test: { name: "scripts", include: ["scripts/**/*.test.ts", "openapi/*.test.ts"], exclude } },
      {
        test: { name: "markdown", include: ["packages/markdown/src/**/*.test.ts"], exclude, isolate: false, ...LIMITS },
      },
      { test: { name: "testing", include: ["packages/testing/src/**/*.test.ts"], exclude, ...LIMITS } },
      { test: { name: "sdk", include: ["packages/sdk/src/**/*.test.ts"], exclude, isolate: false, ...LIMITS } },
      {
        test: {
          name: "engine",
          include: ["packages/engine/**/*.test.ts"],
          exclude,
          isolate: false,
          ...LIMITS,
        },
      },
      { test: { name: "guide", include: ["packages/guide/**/*.test.ts"], exclude, ...LIMITS } },
      {
        test: {
          name: "server",
          include: ["packages/server/src/**/*.test.ts"],
          exclude,
          globalSetup: "packages/server/src/testing/global-setup.ts",
          isolate: false,
          ...LIMITS,
        },
      },
      { test: { name: "cli", include: ["packages/cli/src/**/*.test.{ts,tsx}"], exclude, isolate: false, ...LIMITS } },
      {
        extends: "packages/web/vite.config.ts",
        root: "packages/web",
        test: {
          name: "web",
          // A project that extends another file does not have the number from above.
          maxWorkers: WORKERS,
          // Tests find classes by the names of the modules.
          css: { modules: { classNameStrategy: "non-scoped" } },
          include: ["src/**/*.test.{ts,tsx}"],
          exclude,
          environment: "happy-dom",
          // Message catalogues and virtual modules are made from other files, which the cache does not watch.
          fsModuleCache: false,
          ...LIMITS,
          setupFiles: fileURLToPath(new URL("packages/web/src/testing/async-limit.ts", import.meta.url)),
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude,
          globalSetup: "e2e/support/global-setup.ts",
          ...LIMITS,
          maxWorkers: E2E_WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
