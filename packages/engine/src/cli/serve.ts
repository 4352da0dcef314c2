import { randomBytes, randomInt } from "node:crypto";
import { chmod } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createEngineServer, type EngineServer } from "../http/server.ts";
import type { EngineModel } from "../model/engine-model.ts";
import type { LlamaModelSettings } from "../model/llama/load.ts";
import type { ListenAddress, ServeArguments } from "./arguments.ts";
import { AddressError, claimSocketPath } from "./socket-path.ts";

/** How long running requests may take after the request to stop. */
const DRAIN_MS = 10_000;
const IDLE_CHECK_MS = 50;

/** What `serve` needs from the process around it. */
export type ServeEnvironment = {
  /** Resolves when the engine should stop. */
  stopRequested: Promise<unknown>;
  /** Writes one JSON line: progress of loading, then that the engine is ready. */
  announce: (line: string) => void;
  log: (message: string) => void;
  /** The token that requests must have; undefined where only this user can open the socket. */
  apiKey: string | undefined;
};

/**
 * Loads the model, serves it until asked to stop, and lets running requests end. Throws `ModelLoadError` or
 * {@link AddressError} when it can't begin.
 */
export async function serve(options: ServeArguments, environment: ServeEnvironment): Promise<void> {
  const { address, modelPath } = options;
  if (address.type === "socket") await claimSocketPath(resolve(address.path));
  const onProgress = announceProgress(environment.announce);
  const loading = loadModel({ ...options, path: modelPath, log: environment.log, onProgress });
  const model = await Promise.race([loading, environment.stopRequested.then(() => undefined)]);
  if (!model) return;

  const modelId = options.modelId ?? basename(modelPath).replace(/\.gguf$/i, "");
  const server = createEngineServer({
    model,
    modelId,
    now: () => new Date(),
    newId: () => randomBytes(12).toString("hex"),
    randomSeed: () => randomInt(2 ** 31),
    log: environment.log,
    apiKey: environment.apiKey,
  });
  const port = await listen(server, address);
  environment.announce(
    JSON.stringify({ ready: true, model: modelId, context_length: model.contextLength, pid: process.pid, ...port }),
  );
  await environment.stopRequested;
  await drain(server, environment.log);
}

/** Returns a progress listener that announces every percent of the file. */
function announceProgress(announce: (line: string) => void): (progress: number) => void {
  let last = 0;
  return (progress) => {
    const loading = Math.floor(progress * 100) / 100;
    if (loading > last) announce(JSON.stringify({ loading }));
    last = Math.max(last, loading);
  };
}

async function loadModel(settings: LlamaModelSettings): Promise<EngineModel> {
  // llama.cpp's bindings take a while to load; a mistake in the arguments should show without it.
  const { loadLlamaModel } = await import("../model/llama/load.ts");
  return loadLlamaModel(settings);
}

async function listen({ app }: EngineServer, address: ListenAddress): Promise<{ port?: number }> {
  try {
    if (address.type === "socket") {
      const path = resolve(address.path);
      await app.listen({ path });
      await chmod(path, 0o600);
      return {};
    }
    await app.listen({ host: address.host, port: address.port });
    const bound = app.server.address();
    return typeof bound === "object" && bound ? { port: bound.port } : {};
  } catch (error) {
    const location = address.type === "socket" ? address.path : `${address.host}:${address.port}`;
    throw new AddressError(`Can't listen on ${location}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function drain({ app, abortRequests }: EngineServer, log: (message: string) => void): Promise<void> {
  const closed = app.close().then(() => true);
  // Closing ends the connections that are idle now; those that get idle later would stay open for their next request.
  setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS).unref();
  if (await Promise.race([closed, delay(DRAIN_MS, false, { ref: false })])) return;
  log(`requests still ran ${DRAIN_MS / 1000} s after the request to stop; ending them`);
  abortRequests();
  await Promise.race([closed, delay(500, undefined, { ref: false })]);
}
