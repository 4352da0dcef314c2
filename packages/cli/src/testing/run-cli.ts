import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { readEnvironment } from "../config/environment.ts";
import { InterruptedError } from "../errors.ts";
import type { Io, OutputStream } from "../output/io.ts";
import { run } from "../run.ts";

/** The exit code and the output of a command line. */
export type CliResult = { readonly code: number; readonly out: string; readonly err: string };
/** The circumstances that a command line runs in. */
export type RunOptions = {
  readonly stdin?: string;
  readonly tty?: boolean;
  readonly columns?: number;
  readonly env?: Record<string, string>;
  readonly signal?: AbortSignal;
  /** Opens a URL in the browser; by default there is no browser. */
  readonly openUrl?: (address: string) => Promise<boolean>;
  /** Receives the milliseconds of each wait; tests do not really wait. */
  readonly onSleep?: (milliseconds: number) => void;
  readonly now?: () => Date;
  /** Whether a person can be asked. */
  readonly interactive?: boolean;
};

/** The current time in tests. */
export const NOW = new Date("2026-11-21T12:00:00Z");

/** Creates an output stream that records what is written. */
export function createMemoryStream(isTTY = false, columns?: number): OutputStream & { text(): string } {
  const parts: Buffer[] = [];
  return {
    isTTY,
    ...(columns !== undefined && { columns }),
    write: (text: string | Uint8Array) => parts.push(Buffer.from(text as Uint8Array)),
    text: () => Buffer.concat(parts).toString(),
  };
}

/** Creates a temporary configuration folder; `remove` deletes it. */
export function createConfigFolder() {
  const dir = mkdtempSync(join(tmpdir(), "feather-cli-"));
  return { dir: join(dir, "feather"), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Runs a command line with these environment variables. */
export async function runCli(
  argv: readonly string[],
  variables: Record<string, string>,
  settings: RunOptions = {},
): Promise<CliResult> {
  const { stdin = "", tty = false, columns, env = {}, interactive = false, now = () => NOW } = settings;
  const { signal = new AbortController().signal, openUrl = async () => false, onSleep } = settings;
  const stdout = createMemoryStream(tty, columns);
  const stderr = createMemoryStream(tty, columns);
  const input = Object.assign(Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]), { isTTY: interactive });
  const io: Io = { stdin: input, stdout, stderr, env: readEnvironment({ ...variables, ...env }, "linux") };
  const sleep = async (milliseconds: number) => {
    if (signal.aborted) throw new InterruptedError("the wait was left");
    onSleep?.(milliseconds);
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const code = await run(argv, { io, signal, now, sleep, openUrl, version: "1.2.3" });
  return { code, out: stdout.text(), err: stderr.text() };
}

/** A request that the stub server received. */
export type RecordedRequest = {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
};
/** A response of the stub server; an object as body is sent as JSON. */
export type StubResponse = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
};
type Handler = (requests: RecordedRequest, response: ServerResponse) => StubResponse | null;

/** Starts a server that responds by `routes` (`GET /auth/me`) and records its requests. A handler that returns null responds itself. */
export async function startStubServer(routes: Record<string, Handler>) {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const path = (request.url ?? "").replace(/^\/api/, "");
    const recorded: RecordedRequest = {
      method: request.method ?? "",
      url: path,
      authorization: request.headers.authorization,
      headers: request.headers,
      body: parseBody(text, request.headers["content-type"]),
    };
    requests.push(recorded);
    const handler = routes[`${recorded.method} ${path.split("?")[0]}`];
    const stubResponse = handler ? handler(recorded, response) : errorResponse(404, "not_found", "Not found");
    if (stubResponse === null) return;
    const { status = 200, headers = {}, body } = stubResponse;
    response.writeHead(status, { "content-type": "application/json", "request-id": "req_test", ...headers });
    response.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { baseUrl: `http://127.0.0.1:${port}`, requests, close };
}

function parseBody(text: string, type: string | undefined): unknown {
  if (text === "") return undefined;
  return type?.includes("urlencoded") ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
}

/** Returns an error response in OAuth's envelope. */
export function oauthErrorResponse(error: string, description = "What happened."): StubResponse {
  return { status: 400, body: { error, error_description: description } };
}

/** Returns an error response in the platform's envelope. */
export function errorResponse(status: number, code: string, message: string, details: object = {}): StubResponse {
  return {
    status,
    headers: { "x-should-retry": "false" },
    body: { statusCode: status, statusMessage: "x", message, data: JSON.stringify({ code, message, details }) },
  };
}

/** Returns a streamed completion of these texts, with usage at the end. */
export function streamedResponse(texts: readonly string[]): StubResponse {
  const chunk = (delta: object, finish: string | null) => ({ choices: [{ index: 0, delta, finish_reason: finish }] });
  const events = [
    ...texts.map((content) => chunk({ content }, null)),
    chunk({}, "stop"),
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: texts.length, total_tokens: 3 + texts.length } },
  ];
  const body = `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`;
  return { headers: { "content-type": "text/event-stream" }, body };
}
