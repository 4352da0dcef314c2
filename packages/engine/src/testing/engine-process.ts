import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { writeDemoModel } from "../../scripts/build-demo-model.ts";

/** Path of the `feather-engine` executable. */
export const ENGINE_BINARY = join(import.meta.dirname, "../../bin/feather-engine.js");

/** Writes the demonstration model if it is missing and returns its path. */
export function demoModelPath(): string {
  const path = join(import.meta.dirname, "../../dist/models/demo.gguf");
  writeDemoModel(path);
  return path;
}

/** A folder that is deleted when it is disposed. */
export type TemporaryFolder = { path: string } & Disposable;

/** Creates a temporary folder. */
export function createTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "engine-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A running engine. */
export type EngineProcess = {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves with the line that the engine prints when it is ready. */
  ready: Promise<Record<string, unknown>>;
  exit: Promise<{ code: number | null; stderr: string }>;
};

/** Starts `feather-engine` with the given arguments. */
export function startEngine(args: readonly string[]): EngineProcess {
  // A test that fails half-way must not leave its engine behind.
  const owned = [...args, "--stop-with-stdin"];
  const child = spawn(process.execPath, [ENGINE_BINARY, ...owned], { stdio: ["pipe", "pipe", "pipe"] });
  const stderr = text(child.stderr);
  const exit = once(child, "exit").then(async ([code]) => ({ code: code as number | null, stderr: await stderr }));
  const readyLine = readLineWithField(child.stdout, "ready");
  const exitedEarly = exit.then(({ code, stderr: reason }) => {
    throw new Error(`The engine exited with ${code}: ${reason}`);
  });
  const ready = Promise.race([readyLine, exitedEarly]);
  ready.catch(() => {});
  return { child, ready, exit };
}

/** Waits for the JSON line with a field; an engine prints progress lines before it. */
export async function readLineWithField(stdout: Readable, field: string): Promise<Record<string, unknown>> {
  for await (const line of createInterface({ input: stdout })) {
    const value = JSON.parse(line) as Record<string, unknown>;
    if (field in value) return value;
  }
  return new Promise(() => {}); // the caller also waits for the exit
}

/** A running engine on a Unix socket; disposing it kills the process. */
export type ServedEngine = EngineProcess & { socket: string } & AsyncDisposable;

/** Starts an engine on a Unix socket in a temporary folder and waits until it is ready. */
export async function serveModel(modelPath: string, ...options: string[]): Promise<ServedEngine> {
  const folder = createTemporaryFolder();
  const socket = join(folder.path, "engine.sock");
  const engine = startEngine(["serve", modelPath, "--socket", socket, "--model-id", "feather/demo", ...options]);
  await engine.ready;
  return {
    ...engine,
    socket,
    async [Symbol.asyncDispose]() {
      engine.child.kill("SIGKILL");
      await engine.exit;
      folder[Symbol.dispose]();
    },
  };
}

/** A response with its body as text. */
export type TestResponse = { status: number; headers: IncomingMessage["headers"]; body: string };

/** Sends a request over a Unix socket; a body makes it a POST with JSON. Strings are sent as they are. */
export async function sendRequest(
  socket: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const response = await openResponse(socket, path, body, { headers });
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

/** Like {@link call}, but resolves as soon as the status line is there, or rejects when the signal aborts. */
export function openResponse(
  socket: string,
  path: string,
  body?: unknown,
  { headers, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      socketPath: socket,
      path,
      method: body === undefined ? "GET" : "POST",
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(signal && { signal }),
    });
    outgoing.on("response", resolve).on("error", reject);
    outgoing.end(typeof body === "string" ? body : body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Sends only the headers of a JSON request with this content length, and returns the response. */
export function sendHeadersOnly(socket: string, path: string, length: number): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": length };
    const outgoing = request({ socketPath: socket, path, method: "POST", headers });
    outgoing.on("response", async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) });
      outgoing.destroy();
    });
    outgoing.on("error", reject);
    outgoing.flushHeaders();
  });
}

/** Returns the parsed data of each event of a stream; `[DONE]` stays a string. */
export function parseEvents(stream: string): unknown[] {
  return stream
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => {
      const data = event.replace(/^data: /, "");
      return data === "[DONE]" ? data : JSON.parse(data);
    });
}

/** Ends a wait for something that never happens. Long enough for a busy machine: how long a wait takes decides nothing. */
const WAIT_LIMIT_MS = 60_000;

/** Polls until the condition is true. Throws after a minute. */
export async function waitUntil(condition: () => Promise<boolean> | boolean): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    if (performance.now() - start > WAIT_LIMIT_MS) throw new Error(`Still not so after ${WAIT_LIMIT_MS} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
