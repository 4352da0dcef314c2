import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startPlatform } from "./platform.ts";

declare module "vitest" {
  export interface ProvidedContext {
    baseUrl: string;
  }
}

/** Runs one platform for all tests, on its own data folder and port. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "feather-e2e-"));
  chmodSync(folder, 0o711); // the database runs as another user
  const platform = await startPlatform(folder);
  project.provide("baseUrl", platform.baseUrl);
  return async () => {
    platform.process.kill("SIGTERM");
    const code = await platform.ended;
    rmSync(folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The server ended with code ${code} after SIGTERM; it should be 0.`);
  };
}
