import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { randomBytes } from "node:crypto";
import { basename, dirname } from "node:path";
import type { Logger } from "pino";
import type { Account } from "../../../platform/core/db/embedded/account.ts";
import {
  type EngineEvents,
  type EngineModel,
  type EngineProcess,
  forEachLine,
  type ProcessStart,
  runModelProcess,
} from "./model-process.ts";
import type { ProcessRun } from "./restarting-process.ts";
import { type WatchTimes, watchHealth } from "./watch-health.ts";

/** How long a program may take to end after SIGTERM, in milliseconds. Less than the time that the server may take to stop. */
export const PROGRAM_GRACE_MS = 7_000;
const STOP_TIMEOUT_MS = 20_000;

/** Determines from the lines of a program's log why it ended. */
export type ProgramLog = {
  add(line: string): void;
  /** Returns the cause that the log names, or else the last line; empty without output. */
  lastWords(): string;
};

/** How a program that somebody else wrote serves a model. */
export type WatchedProgram = {
  model: EngineModel;
  events: EngineEvents;
  /** What the program is called in the log, such as `vLLM`. */
  name: string;
  /** The account that it runs as. */
  account: Account;
  log: Pick<Logger, "debug" | "warn">;
  times: WatchTimes;
  /** Starts the program with `spawnOwned`, so that it answers on the socket, to requests with the API key. */
  spawn(socketPath: string, apiKey: string): ChildProcessWithoutNullStreams;
  createLog(): ProgramLog;
  /** Returns the share of the weights that has been read, 0 to 1, from a line that tells it; null for other lines. */
  readLoadingShare(line: string): number | null;
};

type Start = ProcessStart & { program: WatchedProgram; apiKey: string };

/**
 * Runs a program that serves a model, on a Unix socket in a folder that only its account can enter, and with an API key. If
 * the program ends or stops responding, it is restarted with exponential backoff. It ends with this process in any case.
 */
export function runWatchedProcess(program: WatchedProgram): EngineProcess {
  const { events } = program;
  const apiKey = randomBytes(32).toString("hex");
  return runModelProcess({
    ...program,
    events: {
      ...events,
      exited(reason, restartsInMs) {
        events.line?.(reason);
        events.exited(reason, restartsInMs);
      },
    },
    stopTimeoutMs: STOP_TIMEOUT_MS,
    run: (start) => startOnce({ ...start, program, apiKey }),
  });
}

function startOnce({ program, socketPath, apiKey, markReady }: Start): ProcessRun {
  const { model, events, log, times, readLoadingShare } = program;
  const child = program.spawn(socketPath, apiKey);
  const programLog = program.createLog();
  let hungReason = "";
  let group: number | undefined;
  const health = watchHealth(socketPath, times, {
    ready: () => markReady(apiKey),
    hangs(problem) {
      hungReason = problem;
      child.stdin.end();
    },
  });
  const handleLine = (written: string) => {
    health.sawLine();
    // Some programs log all that they were started with.
    const line = written.replaceAll(apiKey, "***");
    programLog.add(line);
    const share = readLoadingShare(line);
    if (share !== null) events.progress?.(share);
    log.debug({ model: model.id }, line);
  };
  forEachLine(child.stdout, (line) => {
    if (group === undefined) group = Number(line);
    else handleLine(line);
  });
  forEachLine(child.stderr, handleLine);
  // If the parent process of the program was killed, the program keeps running and keeps the pipes open.
  child.once("exit", () => {
    health.stop();
    if (group !== undefined) killGroup(group);
  });
  return { child, lastWords: () => hungReason || programLog.lastWords() };
}

/** Returns the folder of the installation that a program belongs to, or else the program's folder. */
export function folderOfProgram(command: string): string {
  const folder = dirname(command);
  return basename(folder) === "bin" && dirname(folder) !== "/" ? dirname(folder) : folder;
}

function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // all have ended
  }
}
