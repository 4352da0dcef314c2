import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Server } from "node:net";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { z } from "zod";
import type { EngineSandbox, RuntimeStates } from "../hosting/runtimes/index.ts";
import type { DatabaseTargets } from "./database.ts";

const WORKER = fileURLToPath(new URL("../../bin/worker.js", import.meta.url));
const MIN_RESTART_DELAY_MS = 500;
const MAX_RESTART_DELAY_MS = 30_000;
/** A worker that ends after it has run for this long is restarted without a longer delay. */
const STABLE_MS = 60_000;

/** The data that a worker gets when it starts: the results of the main process's checks, and the database. */
export type WorkerStart = {
  targets: DatabaseTargets;
  /** The names and values of settings that admins had saved. */
  savedSettings: readonly (readonly [string, string])[];
  /** The host at which other replicas reach this machine. */
  replicaHost: string;
  engineSandbox: EngineSandbox;
  runtimeStates: RuntimeStates;
  /** Whether the worker can listen on its own. Otherwise it requests the listener of the main process. */
  canSharePort: boolean;
};

/**
 * The messages of a worker to the main process: its id as a replica, a request for the listener, that it accepts requests, and
 * that an admin starts the server again.
 */
const workerMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("joined"), id: z.string() }),
  z.object({ type: z.literal("listens") }),
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("restarts") }),
]);
/** A message of a worker. */
export type WorkerMessage = z.infer<typeof workerMessage>;

type Deps = {
  /** Number of workers. */
  count: number;
  start: WorkerStart;
  /** The listener of the main process, for workers that cannot listen on their own. */
  listener: Server;
  /** Called with the replica id of a worker that has ended. */
  onGone(id: string): Promise<void>;
  /** Called when an admin starts the server again through a worker. */
  onRestart(): void;
  log: Pick<Logger, "warn" | "error">;
};

type Worker = { process: ChildProcess | null; replicaId: string | null; delayMs: number; timer: NodeJS.Timeout | null };
type Context = Deps & { workers: Worker[]; stopping: boolean };

/** Processes in addition to this one that accept requests on the same port. */
export type Workers = {
  /** Asks every worker to stop, at once if `forced` is aborted, and waits for their end. */
  stop(forced: AbortSignal): Promise<void>;
};

/**
 * Starts workers and waits until they accept requests. A worker that ends later is restarted. Throws an Error if one ends
 * before it is ready.
 */
export async function startWorkers(deps: Deps): Promise<Workers> {
  const context: Context = {
    ...deps,
    workers: Array.from({ length: deps.count }, () => ({
      process: null,
      replicaId: null,
      delayMs: MIN_RESTART_DELAY_MS,
      timer: null,
    })),
    stopping: false,
  };
  const stop = (forced: AbortSignal) => stopWorkers(context, forced);
  try {
    await Promise.all(context.workers.map((worker) => startWorker(context, worker)));
  } catch (error) {
    await stop(AbortSignal.abort());
    throw error;
  }
  return { stop };
}

/** Starts the process of a worker. Resolves when it accepts requests. */
function startWorker(context: Context, worker: Worker): Promise<void> {
  // The worker's standard error is this process's log.
  const child = fork(WORKER, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const startedAt = performance.now();
  worker.process = child;
  child.send(context.start);
  return new Promise((resolve, reject) => {
    let isReady = false;
    child.on("message", (message) => {
      const parsed = workerMessage.parse(message);
      if (parsed.type === "joined") worker.replicaId = parsed.id;
      else if (parsed.type === "listens") child.send("listener", context.listener);
      else if (parsed.type === "restarts") context.onRestart();
      else {
        isReady = true;
        resolve();
      }
    });
    child.once("exit", (code, signal) => {
      worker.process = null;
      const id = worker.replicaId;
      worker.replicaId = null;
      if (id !== null)
        context.onGone(id).catch((error: unknown) => context.log.warn({ err: error }, "its lease ends by itself"));
      if (!isReady) reject(new Error(`A worker ended while it was starting (${signal ?? `exit code ${code}`}).`));
      if (context.stopping || !isReady) return;
      context.log.error({ code, signal, pid: child.pid }, "a worker has ended; it is started again");
      if (performance.now() - startedAt > STABLE_MS) worker.delayMs = MIN_RESTART_DELAY_MS;
      restart(context, worker);
    });
  });
}

function restart(context: Context, worker: Worker): void {
  const { delayMs } = worker;
  worker.delayMs = Math.min(delayMs * 2, MAX_RESTART_DELAY_MS);
  worker.timer = setTimeout(() => {
    startWorker(context, worker).catch((error: unknown) => {
      context.log.error({ err: error }, "a worker cannot be started");
      if (!context.stopping) restart(context, worker);
    });
  }, delayMs);
}

async function stopWorkers(context: Context, forced: AbortSignal): Promise<void> {
  context.stopping = true;
  const running = context.workers.flatMap(({ process, timer }) => {
    if (timer !== null) clearTimeout(timer);
    return process ?? [];
  });
  const ended = running.map((child) => (child.exitCode === null ? once(child, "exit") : null));
  const kill = (signal: NodeJS.Signals) => {
    for (const child of running) child.kill(signal);
  };
  kill("SIGTERM");
  // A worker ends at once when it is disconnected.
  const disconnect = () => running.forEach((child) => void (child.connected && child.disconnect()));
  if (forced.aborted) disconnect();
  else forced.addEventListener("abort", disconnect, { once: true });
  await Promise.all(ended);
}
