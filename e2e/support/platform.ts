import { type ChildProcess, spawn } from "node:child_process";
import { freePort } from "@feather/testing/free-port";

/** Credentials of the first admin. */
export const ADMIN = { email: "admin@example.com", password: "feathers-are-light" };
const READY_TIMEOUT_MS = 240_000;
/** The number of characters of the server's own errors that an error message contains. */
const ERROR_CHARACTERS = 2_000;

/** A running platform. */
export type Platform = {
  baseUrl: string;
  process: ChildProcess;
  /** Milliseconds from the start until it was ready. */
  readyMs: number;
  /** Its exit code; null if a signal ended it. */
  ended: Promise<number | null>;
};

/** A platform that may not be ready yet. `ready` resolves with how long that took, and rejects if it exits before. */
export type StartingPlatform = Omit<Platform, "readyMs"> & { ready: Promise<number> };

/** Starts the platform with its data in a folder and waits until it is ready. Rejects if it exits before. */
export async function startPlatform(dataDir: string, settings: Record<string, string> = {}): Promise<Platform> {
  const { ready, ...platform } = await spawnPlatform(dataDir, settings);
  return { ...platform, readyMs: await ready };
}

/** Starts the platform with its data in a folder, and does not wait for it. */
export async function spawnPlatform(dataDir: string, settings: Record<string, string> = {}): Promise<StartingPlatform> {
  const port = settings.FEATHER_PORT ?? String(await freePort());
  const env = {
    ...process.env,
    FEATHER_PORT: port,
    FEATHER_DATA_DIR: dataDir,
    FEATHER_DISCOVER: "off",
    FEATHER_STARTER_MODEL: "off",
    FEATHER_HUB_REFRESH: "off",
    FEATHER_RATE_LIMITS: "off",
    FEATHER_LOG_LEVEL: "warn",
    FEATHER_ADMIN_EMAIL: ADMIN.email,
    FEATHER_ADMIN_PASSWORD: ADMIN.password,
    ...settings,
  };
  const startedAt = performance.now();
  const server = spawn(process.execPath, ["packages/server/bin/server.js"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  server.stderr.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    errors = `${errors}${chunk}`.slice(-ERROR_CHARACTERS);
  });
  const ended = new Promise<number | null>((resolve) => server.once("exit", resolve));
  const ready = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("The server was not ready in time.")), READY_TIMEOUT_MS);
    server.stdout.on("data", (chunk: Buffer) => {
      if (!chunk.toString().includes("is ready")) return;
      clearTimeout(timer);
      resolve(performance.now() - startedAt);
    });
    void ended.then((code) => {
      clearTimeout(timer);
      reject(new Error(`The server ended with code ${code} before it was ready. It said: ${errors}`));
    });
  });
  ready.catch(() => {}); // callers that await it get the error
  return { baseUrl: `http://localhost:${port}`, process: server, ended, ready };
}
