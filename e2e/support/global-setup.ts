import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { freePort } from "./free-port.ts";

declare module "vitest" {
  export interface ProvidedContext {
    baseUrl: string;
  }
}

export const ADMIN = { email: "admin@example.com", password: "feathers-are-light" };
const READY_LIMIT = 120_000;

/** Runs the platform as a person would, on a data folder and a port of its own, for all journeys. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "feather-e2e-"));
  chmodSync(folder, 0o711); // the database's user has to pass
  const port = await freePort();
  const env = {
    ...process.env,
    FEATHER_PORT: String(port),
    FEATHER_DATA_DIR: folder,
    FEATHER_DISCOVER: "off",
    FEATHER_RATE_LIMITS: "off",
    FEATHER_LOG_LEVEL: "warn",
    FEATHER_ADMIN_EMAIL: ADMIN.email,
    FEATHER_ADMIN_PASSWORD: ADMIN.password,
  };
  const server = spawn(process.execPath, ["packages/server/src/main.ts"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => server.once("exit", resolve));
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("The server was not ready in time.")), READY_LIMIT);
    server.stdout.on("data", (chunk: Buffer) => {
      if (!chunk.toString().includes("is ready")) return;
      clearTimeout(timer);
      resolve();
    });
    void ended.then((code) => reject(new Error(`The server ended with code ${code} before it was ready.`)));
  });
  project.provide("baseUrl", `http://localhost:${port}`);
  return async () => {
    server.kill("SIGTERM");
    const code = await ended;
    rmSync(folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The server ended with code ${code} after SIGTERM; it should be 0.`);
  };
}
