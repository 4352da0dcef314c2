import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFeather, type Feather } from "@feather/sdk";
import { type FakeUpstream, startFakeUpstream, type UpstreamScript } from "@feather/testing/fake-upstream";
import { freePort } from "@feather/testing/free-port";
import { TOKEN_TRANSPORT } from "../support/accounts.ts";
import { ADMIN, type Platform, startPlatform } from "../support/platform.ts";

/** The model of the slow backend. */
export const MODEL = "slow/talker";

/** A platform with a slow backend that can be killed and restarted on the same data and port. */
export type ReliabilityEnvironment = {
  folder: string;
  backend: FakeUpstream;
  baseUrl(): string;
  /** The id of the server's process, the first one where it has workers. */
  pid(): number;
  /** Returns a client of the first admin. */
  client(): Feather;
  kill(): Promise<void>;
  /** Sends signals to the server. Returns its exit code; null if a signal ended it. */
  stop(signals: readonly NodeJS.Signals[]): Promise<number | null>;
  /** Starts the server on its data, or on those of another folder. */
  start(dataDir?: string): Promise<void>;
  close(): Promise<void>;
};

/** Streams as many tokens as the request allows, 50 a second; 100 if it sets no limit. */
const SLOW: UpstreamScript = {
  delayMs: 20,
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  reply: ({ stream, max_tokens }) => ({
    tokens: stream ? Array.from({ length: Number(max_tokens ?? 100) }, () => " more") : ["Well."],
  }),
};

/** Starts the backend and the platform, with these settings besides its own, on a new data folder. */
export async function createEnvironment(settings: Record<string, string> = {}): Promise<ReliabilityEnvironment> {
  const folder = mkdtempSync(join(tmpdir(), "feather-reliability-"));
  chmodSync(folder, 0o711);
  const port = await freePort();
  const backend = await startFakeUpstream(SLOW, [MODEL]);
  const startServer = (dataDir: string) =>
    startPlatform(dataDir, {
      FEATHER_PORT: String(port),
      FEATHER_LOG_LEVEL: "silent",
      FEATHER_PRELOAD: "off", // no call is to a model of this machine
      FEATHER_BACKENDS: JSON.stringify([{ name: "slow", base_url: backend.baseUrl, models: [MODEL] }]),
      ...settings,
    });
  let platform: Platform = await startServer(folder);
  const login = createFeather({ baseUrl: platform.baseUrl }).auth.login(ADMIN, TOKEN_TRANSPORT);
  const token = (await login.withResponse()).response.headers.get("x-session-token") ?? "";

  async function endServer(signal: NodeJS.Signals): Promise<void> {
    platform.process.kill(signal);
    await platform.ended;
  }

  return {
    folder,
    backend,
    baseUrl: () => platform.baseUrl,
    pid: () => platform.process.pid ?? 0,
    client: () => createFeather({ baseUrl: platform.baseUrl, token, maxRetries: 0, timeout: 20_000 }),
    kill: () => endServer("SIGKILL"),
    stop(signals) {
      for (const signal of signals) platform.process.kill(signal);
      return platform.ended;
    },
    async start(dataDir = folder) {
      platform = await startServer(dataDir);
    },
    async close() {
      await endServer("SIGTERM");
      await backend.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
