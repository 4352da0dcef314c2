import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { readEnvironment } from "../config/environment.ts";
import { InterruptedError } from "../errors.ts";
import type { Io, Stream } from "../output/io.ts";
import { run } from "../run.ts";

export type Ran = { readonly code: number; readonly out: string; readonly err: string };
export type RunSettings = {
  readonly stdin?: string;
  readonly tty?: boolean;
  readonly columns?: number;
  readonly env?: Record<string, string>;
  readonly signal?: AbortSignal;
  /** What the browser does with an address; false when there is none, as it is if left out. */
  readonly openUrl?: (address: string) => Promise<boolean>;
  /** Is told how long the program waits; nobody does. */
  readonly slept?: (milliseconds: number) => void;
  readonly now?: () => Date;
  /** Somebody who can be asked sits at the terminal. */
  readonly interactive?: boolean;
};

export const NOW = new Date("2026-11-21T12:00:00Z");

/** A stream that keeps what is written. */
export function memory(isTTY = false, columns?: number): Stream & { text(): string } {
  const parts: Buffer[] = [];
  return {
    isTTY,
    ...(columns !== undefined && { columns }),
    write: (text: string | Uint8Array) => parts.push(Buffer.from(text as Uint8Array)),
    text: () => Buffer.concat(parts).toString(),
  };
}

/** A folder for configuration, removed by `remove`. */
export function configFolder() {
  const dir = mkdtempSync(join(tmpdir(), "feather-cli-"));
  return { dir: join(dir, "feather"), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Runs a command line against a server, with a folder of its own. */
export async function feather(
  argv: readonly string[],
  variables: Record<string, string>,
  settings: RunSettings = {},
): Promise<Ran> {
  const { stdin = "", tty = false, columns, env = {}, interactive = false, now = () => NOW } = settings;
  const { signal = new AbortController().signal, openUrl = async () => false, slept } = settings;
  const stdout = memory(tty, columns);
  const stderr = memory(tty, columns);
  const input = Object.assign(Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]), { isTTY: interactive });
  const io: Io = { stdin: input, stdout, stderr, env: readEnvironment({ ...variables, ...env }, "linux") };
  const sleep = async (milliseconds: number) => {
    if (signal.aborted) throw new InterruptedError("the wait was left");
    slept?.(milliseconds);
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const code = await run(argv, { io, signal, now, sleep, openUrl, version: "1.2.3" });
  return { code, out: stdout.text(), err: stderr.text() };
}

export type Asked = {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
};
export type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown };
type Handler = (asked: Asked, response: ServerResponse) => Answer | null;

/** A server that speaks the contract as far as `routes` go (`GET /auth/me`), and remembers what it was asked. */
export async function standIn(routes: Record<string, Handler>) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const path = (request.url ?? "").replace(/^\/api/, "");
    const one: Asked = {
      method: request.method ?? "",
      url: path,
      authorization: request.headers.authorization,
      headers: request.headers,
      body: bodyOf(text, request.headers["content-type"]),
    };
    asked.push(one);
    const handler = routes[`${one.method} ${path.split("?")[0]}`];
    const answer = handler ? handler(one, response) : problem(404, "not_found", "Not found");
    if (answer === null) return;
    const { status = 200, headers = {}, body } = answer;
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
  return { baseUrl: `http://127.0.0.1:${port}`, asked, close };
}

function bodyOf(text: string, type: string | undefined): unknown {
  if (text === "") return undefined;
  return type?.includes("urlencoded") ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
}

/** An error as OAuth calls answer it. */
export function oauthProblem(error: string, description = "What happened."): Answer {
  return { status: 400, body: { error, error_description: description } };
}

/** The platform's envelope of an error. */
export function problem(status: number, code: string, message: string, details: object = {}): Answer {
  return {
    status,
    headers: { "x-should-retry": "false" },
    body: { statusCode: status, statusMessage: "x", message, data: JSON.stringify({ code, message, details }) },
  };
}

/** A streamed answer of these texts, with the figures at the end. */
export function streamed(texts: readonly string[]): Answer {
  const chunk = (delta: object, finish: string | null) => ({ choices: [{ index: 0, delta, finish_reason: finish }] });
  const events = [
    ...texts.map((content) => chunk({ content }, null)),
    chunk({}, "stop"),
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: texts.length, total_tokens: 3 + texts.length } },
  ];
  const body = `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`;
  return { headers: { "content-type": "text/event-stream" }, body };
}
