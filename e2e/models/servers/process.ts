import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerCommand } from "./install.ts";

const START_TIMEOUT_MS = 180_000;
const POLL_MS = 200;
/** What an error says of what the server printed. */
const OUTPUT_CHARACTERS = 2_000;

/** A running server of models. */
export type RealServer = {
  /** Its address, without `/v1`. */
  url: string;
  process: ChildProcess;
  /** Ends it and waits until it has ended. */
  stop(): Promise<void>;
};

/** Starts a server and waits until a path of it answers with status 200. Rejects with what it printed if it ends before. */
export async function startServer(
  { path, env }: ServerCommand,
  args: readonly string[],
  port: number,
  readyPath: string,
): Promise<RealServer> {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(path, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const keep = (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-OUTPUT_CHARACTERS);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const startError = once(child, "error").then(([error]) => Promise.reject(error));
  startError.catch(() => {}); // it only counts until the server is ready
  await Promise.race([startError, waitUntilReady(child, url + readyPath, () => output)]);
  return { url, process: child, stop: () => stop(child) };
}

async function waitUntilReady(child: ChildProcess, address: string, output: () => string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (hasEnded(child)) throw new Error(`${child.spawnfile} ended before it was ready. It said: ${output()}`);
    const isReady = await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(POLL_MS);
  }
  child.kill("SIGKILL");
  throw new Error(`${child.spawnfile} was not ready in time. It said: ${output()}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
