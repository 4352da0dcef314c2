import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { browserPath } from "./browser.ts";
import { type Platform, startPlatform } from "./platform.ts";

declare module "vitest" {
  export interface ProvidedContext {
    platformUrls: readonly string[];
  }
}

/** Starts a platform for each file that runs at the same time, on its own data folder and port. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await browserPath(); // unpacks the browser of the npm registry once
  const folders = Array.from({ length: Number(project.config.maxWorkers) }, () => {
    const folder = mkdtempSync(join(tmpdir(), "feather-e2e-"));
    chmodSync(folder, 0o711); // the database runs as another user
    return folder;
  });
  const platforms = await Promise.all(folders.map((folder) => startPlatform(folder)));
  project.provide(
    "platformUrls",
    platforms.map(({ baseUrl }) => baseUrl),
  );
  return async () => {
    const codes = await Promise.all(platforms.map(stop));
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    const wrong = codes.find((code) => code !== 0);
    if (wrong !== undefined) throw new Error(`A server ended with code ${wrong} after SIGTERM; it should be 0.`);
  };
}

function stop(platform: Platform): Promise<number | null> {
  platform.process.kill("SIGTERM");
  return platform.ended;
}
