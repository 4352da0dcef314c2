import { spawn } from "node:child_process";
import { constants } from "node:os";

/**
 * Runs a command and stops it, with all processes that it started, when standard input ends: because the server closed
 * it, or because the server was killed. For commands that do not watch their standard input.
 *
 * Arguments: the milliseconds that the command may take to end after SIGTERM, the command, and its arguments. The first
 * line on standard output is the id of the command's process group. The exit status is the command's.
 */
function main([graceMs, command = "", ...args]: readonly string[]): void {
  const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], detached: true });
  child.once("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  const { pid } = child;
  if (pid === undefined) return; // the error event follows
  process.stdout.write(`${pid}\n`);
  process.stdin.resume().once("end", () => {
    signalGroup(pid, "SIGTERM");
    setTimeout(() => signalGroup(pid, "SIGKILL"), Number(graceMs));
  });
  // The server requests the stop by closing standard input, so SIGTERM is ignored.
  process.on("SIGTERM", () => {});
  child.once("exit", (code, signal) => {
    signalGroup(pid, "SIGKILL");
    process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0));
  });
}

/** Sends a signal to a process and to all processes that it has started. Ended ones are skipped. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // all have ended
  }
}

main(process.argv.slice(2));
