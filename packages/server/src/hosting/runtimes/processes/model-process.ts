import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Logger } from "pino";
import type { Account } from "../../../platform/core/db/embedded/account.ts";
import { chooseSocketRoot, chownTo } from "./confinement.ts";
import { keepRunning, type ProcessRun, type RestartingProcess } from "./restarting-process.ts";

/** A model and the settings of the process that runs it. */
export type EngineModel = {
  id: string;
  /** The path of its file, or of the folder with its files. */
  file: string;
  contextLength: number;
  sequences?: number | undefined;
  threads?: number | undefined;
  /** The path of its projector file, with which it reads images; undefined without one. */
  projector?: string | undefined;
  /** Whether it orders texts, and generates none; false by default. */
  isReranker?: boolean | undefined;
  /** The memory that is reserved for it, in bytes. */
  memoryBytes?: number | undefined;
  /** The runtime's name for the format of its tool calls; undefined if it is unknown or the runtime needs none. */
  toolParser?: string | undefined;
  /** The runtime's name for the format of its reasoning; undefined if it is unknown or the runtime needs none. */
  reasoningParser?: string | undefined;
};

/** Callbacks about the process of a model. */
export type EngineEvents = {
  /** Called when the process answers on this socket, to requests with the API key if there is one. */
  ready(socketPath: string, apiKey?: string): void;
  /**
   * Called when the process has exited unexpectedly. It is restarted after `restartsInMs`; `reason` is the cause according to
   * its log.
   */
  exited(reason: string, restartsInMs: number): void;
  /** Called with the share of the files that has been loaded, 0 to 1. */
  progress?(fraction: number): void;
  line?(text: string): void;
};

/** The running process of a model; `stop` resolves when it has exited. */
export type EngineProcess = RestartingProcess;
/** Starts a process for a model; replaced in tests. */
export type StartEngine = (model: EngineModel, events: EngineEvents) => EngineProcess;

type Options = {
  model: EngineModel;
  events: EngineEvents;
  /** What the process is called in the log, such as `vLLM`. */
  name: string;
  /** The account that the process runs as. */
  account: Account;
  /** How long the process may take to end after its standard input is closed, in milliseconds. Then it is killed. */
  stopTimeoutMs: number;
  log: Pick<Logger, "warn">;
  /** Starts the process, which must end when its standard input is closed. */
  run(start: ProcessStart): ProcessRun;
};

/** One start of the process of a model. */
export type ProcessStart = {
  /** The path of the Unix socket on which the process listens. Nothing is there yet. */
  socketPath: string;
  /** Called when the process answers: to requests with the API key if there is one. */
  markReady(apiKey?: string): void;
};

const FOLDER_PREFIX = "feather-engine-";
/** llama-server takes an address for a socket if it ends like this. */
const SOCKET_NAME = "s.sock";
/** Longer lines are cut: they come from programs that read untrusted files, and are searched. */
const MAX_LINE_LENGTH = 4_000;

/**
 * Runs a model in a separate process, so that a crash ends only that process, on a Unix socket in a folder that only its
 * account can enter. If it exits, it is restarted with exponential backoff. `stop` also removes the folder.
 */
export function runModelProcess({ model, events, name, account, stopTimeoutMs, log, run }: Options): EngineProcess {
  const folder = createSocketFolder();
  chownTo(account, folder);
  const socketPath = join(folder, SOCKET_NAME);
  const loop = keepRunning({
    run(markReady) {
      // Not every program replaces the socket of a run that was killed.
      rmSync(socketPath, { force: true });
      return run({
        socketPath,
        markReady(apiKey) {
          markReady();
          events.line?.("ready");
          events.ready(socketPath, apiKey);
        },
      });
    },
    stopTimeoutMs,
    exited({ reason, restartsInMs, code, signal }) {
      log.warn({ model: model.id, code, signal, reason }, `${name} ended; it starts again in ${restartsInMs} ms`);
      events.exited(reason, restartsInMs);
    },
  });
  return {
    async stop() {
      await loop.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Calls `handle` with each line of a stream, cut to 4,000 characters. */
export function forEachLine(stream: Readable | null, handle: (line: string) => void): void {
  if (stream) createInterface({ input: stream }).on("line", (line) => handle(line.slice(0, MAX_LINE_LENGTH)));
}

/** Creates a folder for the socket of a process that only this user can enter. */
function createSocketFolder(): string {
  return mkdtempSync(join(chooseSocketRoot(), `${FOLDER_PREFIX}${process.pid}-`));
}

/** Removes the socket folders of servers that were killed. */
export function removeStaleFolders(): void {
  const root = chooseSocketRoot();
  for (const name of readdirSync(root).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
    const pid = Number(name.slice(FOLDER_PREFIX.length).split("-")[0]);
    if (!Number.isSafeInteger(pid) || pid <= 0 || isAlive(pid)) continue;
    try {
      rmSync(join(root, name), { recursive: true, force: true });
    } catch {
      // owned by another user
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
