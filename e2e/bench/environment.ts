import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFeather } from "@feather/sdk";
import { freePort } from "@feather/testing/free-port";
import { TOKEN_TRANSPORT } from "../support/accounts.ts";
import { ADMIN, type Platform, startPlatform } from "../support/platform.ts";
import type { Target } from "./load.ts";
import { type BenchProgram, startProgram } from "./program.ts";

/** The processes under test: platform, proxy and backend each run in their own. */
export type BenchEnvironment = {
  platform: Platform;
  /** The platform's data folder. */
  folder: string;
  ours: Target;
  /** The reference proxy. */
  bare: Target;
  /** The backend itself. */
  direct: Target;
  backend: BenchProgram;
  proxy: BenchProgram;
  /** The inspector port of the platform's process. */
  inspectPort: number;
  close(): Promise<void>;
};

/** The model of the backend. */
export const MODEL = "bench/instant";
/** The path of the call that is measured. */
export const COMPLETIONS_PATH = "/v1/chat/completions";
const REQUEST = { model: MODEL, messages: [{ role: "user", content: "Why do feathers insulate?" }] };
/** Body of a request that is not streamed. */
export const BUFFERED_REQUEST = JSON.stringify(REQUEST);
/** Body of a streamed request, whose tokens come at the speed of a model. */
export const STREAM_REQUEST = JSON.stringify({ ...REQUEST, stream: true });
/** Body of a streamed request with 20 tokens, two of them a second. */
export const SLOW_STREAM_REQUEST = JSON.stringify({ ...REQUEST, stream: true, seed: 500 });
/** Body of a streamed request whose few tokens come as fast as they are taken. */
export const FAST_STREAM_REQUEST = JSON.stringify({ ...REQUEST, stream: true, max_tokens: 20 });

/** Starts all processes on a new data folder. `backendProcesses` processes of the backend share one port. */
export async function openEnvironment(
  platformSettings: Record<string, string> = {},
  backendProcesses = 1,
): Promise<BenchEnvironment> {
  const folder = mkdtempSync(join(tmpdir(), "feather-bench-"));
  chmodSync(folder, 0o711);
  const backend = await startProgram("bench-backend.ts", [String(backendProcesses)]);
  const proxy = await startProgram("reference-proxy.ts", [backend.url]);
  const settings = {
    ...platformSettings,
    FEATHER_LOG_LEVEL: "error",
    FEATHER_BACKENDS: JSON.stringify([{ name: "bench", base_url: `${backend.url}/v1`, models: [MODEL] }]),
  };
  await stop(await startPlatform(folder, settings)); // the first start sets the database up
  const inspectPort = await freePort();
  const platform = await startPlatform(folder, { ...settings, NODE_OPTIONS: `--inspect=127.0.0.1:${inspectPort}` });
  const headers = { authorization: `Bearer ${await createKeyWithoutLimit(platform.baseUrl)}` };
  return {
    platform,
    folder,
    backend,
    proxy,
    inspectPort,
    ours: { url: platform.baseUrl.replace("localhost", "127.0.0.1") + COMPLETIONS_PATH, headers },
    bare: { url: proxy.url + COMPLETIONS_PATH, headers: {} },
    direct: { url: backend.url + COMPLETIONS_PATH, headers: {} },
    async close() {
      await stop(platform);
      proxy.stop();
      backend.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function stop(platform: Platform): Promise<void> {
  platform.process.kill("SIGTERM");
  await platform.ended;
}

/** Returns an API key of a plan without a limit of units: otherwise requests would be refused. */
export async function createKeyWithoutLimit(baseUrl: string): Promise<string> {
  const { response } = await createFeather({ baseUrl }).auth.login(ADMIN, TOKEN_TRANSPORT).withResponse();
  const admin = createFeather({ baseUrl, token: response.headers.get("x-session-token") ?? "" });
  const { id } = await admin.auth.me();
  await admin.admin.users.update(id, { plan_id: "feather_enterprise" });
  return (await admin.apiKeys.create({ name: "bench" })).secret;
}
