import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const exclude = ["**/node_modules/**", "**/dist/**", "**/dist-types/**"];

export default defineConfig({
  test: {
    // Suites wait for the database about half of the time, so at least two run in parallel, even on a small machine.
    maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
    reporters: ["default", "./scripts/summary-reporter.ts"],
    projects: [
      { test: { name: "scripts", include: ["scripts/**/*.test.ts"], exclude } },
      { test: { name: "sdk", include: ["packages/sdk/src/**/*.test.ts"], exclude, testTimeout: 15_000 } },
      {
        test: {
          name: "engine",
          include: ["packages/engine/**/*.test.ts"],
          exclude,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "server",
          include: ["packages/server/src/**/*.test.ts"],
          exclude,
          globalSetup: "packages/server/src/testing/global-setup.ts",
          testTimeout: 15_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: "cli", include: ["packages/cli/src/**/*.test.{ts,tsx}"], exclude, testTimeout: 15_000 } },
      {
        extends: "packages/web/vite.config.ts",
        root: "packages/web",
        test: { name: "web", include: ["src/**/*.test.{ts,tsx}"], exclude, environment: "happy-dom" },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude,
          globalSetup: "e2e/support/global-setup.ts",
          testTimeout: 60_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
