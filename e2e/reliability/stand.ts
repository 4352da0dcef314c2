import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFeather, type Feather } from "@feather/sdk";
import { AS_TOKEN } from "../support/accounts.ts";
import { freePort } from "../support/free-port.ts";
import { ADMIN, type Platform, startPlatform } from "../support/platform.ts";
import { startSlowBackend } from "./slow-backend.ts";

/** The model of the slow backend. */
export const MODEL = "slow/talker";

/** A platform with a slow backend that can be killed and restarted on the same data and port. */
export type Stand = {
  folder: string;
  backend: Awaited<ReturnType<typeof startSlowBackend>>;
  /** Returns a client of the first admin. */
  client(): Feather;
  kill(): Promise<void>;
  /** Sends signals to the server. Returns its exit code; null if a signal ended it. */
  stop(signals: readonly NodeJS.Signals[]): Promise<number | null>;
  start(): Promise<void>;
  close(): Promise<void>;
};

/** Starts the backend and the platform on a new data folder. */
export async function createStand(): Promise<Stand> {
  const folder = mkdtempSync(join(tmpdir(), "feather-reliability-"));
  chmodSync(folder, 0o711);
  const port = await freePort();
  const backend = await startSlowBackend([MODEL]);
  const started = () =>
    startPlatform(folder, {
      FEATHER_PORT: String(port),
      FEATHER_LOG_LEVEL: "silent",
      FEATHER_BACKENDS: JSON.stringify([{ name: "slow", base_url: backend.baseUrl, models: [MODEL] }]),
    });
  let platform: Platform = await started();
  const login = createFeather({ baseUrl: platform.baseUrl }).auth.login(ADMIN, AS_TOKEN);
  const token = (await login.withResponse()).response.headers.get("x-session-token") ?? "";

  async function end(signal: NodeJS.Signals): Promise<void> {
    platform.process.kill(signal);
    await platform.ended;
  }

  return {
    folder,
    backend,
    client: () => createFeather({ baseUrl: platform.baseUrl, token, maxRetries: 0, timeout: 20_000 }),
    kill: () => end("SIGKILL"),
    stop(signals) {
      for (const signal of signals) platform.process.kill(signal);
      return platform.ended;
    },
    async start() {
      platform = await started();
    },
    async close() {
      await end("SIGTERM");
      backend.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
