import type { ChildProcess } from "node:child_process";
import { messageOf } from "../../../platform/core/errors/message-of.ts";
import { MINUTE_MS } from "../../../platform/core/time.ts";

const MIN_RESTART_DELAY_MS = 500;
const MAX_RESTART_DELAY_MS = MINUTE_MS;
/** A process that was ready for this long is considered stable, and the restart delay is reset. */
const STABLE_AFTER_MS = MINUTE_MS;

/** One run of a process. */
export type ProcessRun = {
  child: ChildProcess;
  /** Returns why it ended, from its output; empty without output. */
  lastWords(): string;
};

/** How a process ended, and the delay until it is started again, in milliseconds. */
export type ProcessExit = { reason: string; restartsInMs: number; code: number | null; signal: NodeJS.Signals | null };

type Options = {
  /**
   * Starts the process, and calls `markReady` when the process answers. The process must end when its standard input is
   * closed. An error that it throws at a restart counts as the end of the process.
   */
  run(markReady: () => void): ProcessRun;
  /** Called when the process has ended without a request to stop. */
  exited(exit: ProcessExit): void;
  /** How long the process may take to end after its standard input is closed, in milliseconds. Then it is killed. */
  stopTimeoutMs: number;
};

/** A process that is restarted when it ends. `stop` resolves when it has ended. */
export type RestartingProcess = { stop(): Promise<void> };

/** Keeps a process running: if it ends, it is restarted with exponential backoff. Throws what its first start throws. */
export function keepRunning({ run, exited, stopTimeoutMs }: Options): RestartingProcess {
  let current: ProcessRun | undefined;
  let restart: NodeJS.Timeout | undefined;
  let restartDelayMs = MIN_RESTART_DELAY_MS;
  let stopping = false;

  function start(): void {
    let readyAt = Number.POSITIVE_INFINITY;
    let spawnProblem = "";
    const started = run(() => {
      readyAt = performance.now();
    });
    current = started;
    // Without a listener, an error of the system, such as too many processes, would end the server.
    started.child.on("error", (error) => {
      spawnProblem = messageOf(error);
    });
    // Not `exit`, because the last lines may still be in the pipe then.
    started.child.once("close", (code, signal) => {
      if (stopping) return;
      if (performance.now() - readyAt > STABLE_AFTER_MS) restartDelayMs = MIN_RESTART_DELAY_MS;
      restartLater({
        reason: started.lastWords() || spawnProblem || `It ended by ${signal ?? `status ${code}`}.`,
        code,
        signal,
      });
    });
  }

  function restartLater(exit: Omit<ProcessExit, "restartsInMs">): void {
    const restartsInMs = restartDelayMs;
    restartDelayMs = Math.min(restartDelayMs * 2, MAX_RESTART_DELAY_MS);
    restart = setTimeout(startAgain, restartsInMs);
    exited({ ...exit, restartsInMs });
  }

  function startAgain(): void {
    current = undefined;
    try {
      start();
    } catch (error) {
      restartLater({ reason: messageOf(error), code: null, signal: null });
    }
  }

  start();
  return {
    async stop() {
      stopping = true;
      clearTimeout(restart);
      const child = current?.child;
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exit = new Promise((resolve) => child.once("exit", resolve));
      child.stdin?.end();
      const killTimer = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
      await exit;
      clearTimeout(killTimer);
    },
  };
}
