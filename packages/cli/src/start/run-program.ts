import { constants } from "node:os";
import spawn from "cross-spawn";
import which from "which";
import type { ProgramRunner } from "../context.ts";

/** Signals that end this process; while a program runs, they are for the program. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Finds and runs other programs on this machine. */
export const programRunner: ProgramRunner = {
  find: (command) => which(command, { nothrow: true }),
  run: (path, args, variables) => withoutSignals((forward) => runProgram(path, args, { variables, forward })),
};

type RunOptions = {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Gets a function that passes signals on. */
  readonly forward: (send: (signal: NodeJS.Signals) => void) => void;
};

function runProgram(path: string, args: readonly string[], { variables, forward }: RunOptions): Promise<number> {
  const child = spawn(path, args, { stdio: "inherit", env: { ...process.env, ...variables } });
  // A terminal sends SIGINT to the program too; sent again, it would count as a second one.
  forward((signal) => signal !== "SIGINT" && child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/** Does some work while signals do not end this process. */
async function withoutSignals<Result>(work: (forward: RunOptions["forward"]) => Promise<Result>): Promise<Result> {
  const handlers = SIGNALS.map((signal) => ({ signal, earlier: process.listeners(signal) }));
  let send: (signal: NodeJS.Signals) => void = () => {};
  const receive = (signal: NodeJS.Signals) => send(signal);
  for (const { signal } of handlers) process.removeAllListeners(signal).on(signal, receive);
  try {
    return await work((given) => {
      send = given;
    });
  } finally {
    for (const { signal, earlier } of handlers) {
      process.off(signal, receive);
      for (const listener of earlier) process.on(signal, listener);
    }
  }
}
