import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** How an answer goes wrong. `after` counts the tokens sent before that. */
export type Fault =
  | { kind: "refuse"; status: number; body?: unknown }
  | { kind: "reset"; after: number }
  | { kind: "hang up"; after: number }
  | { kind: "half frame"; after: number }
  | { kind: "half character"; after: number }
  | { kind: "stall"; after: number }
  | { kind: "error event"; after: number }
  | { kind: "no finish reason" }
  | { kind: "wrong json"; after: number };

/** What the stand-in answers. */
export type Script = {
  tokens?: string[];
  /** Milliseconds before the first byte. */
  thinkMs?: number;
  /** Milliseconds between tokens. */
  delayMs?: number;
  /** The usage it counts; null for a backend that counts none. */
  usage?: object | null;
  fault?: Fault;
};

export type SeenRequest = { path: string; body: Record<string, unknown>; headers: IncomingMessage["headers"] };

const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10, prompt_tokens_details: { cached_tokens: 2 } };

/** An OpenAI-shaped backend that behaves as scripted, by the name of the model asked for. */
export async function startFakeUpstream(script: Script = {}) {
  const scripts = new Map<string, Script>();
  const seen: SeenRequest[] = [];
  const cancelled: { model: string; at: number }[] = [];
  const sockets = new Set<Socket>();
  let active = 0;
  let peak = 0;

  const server = createServer(async (request, response) => {
    if (request.method === "GET") return void response.end(JSON.stringify({ object: "list", data: [] }));
    const body = JSON.parse(await textOf(request)) as Record<string, unknown>;
    const model = String(body.model);
    seen.push({ path: request.url ?? "", body, headers: request.headers });
    active += 1;
    peak = Math.max(peak, active);
    const gone = new AbortController();
    response.on("close", () => {
      active -= 1;
      if (!response.writableFinished) cancelled.push({ model, at: Date.now() });
      gone.abort();
    });
    await answer(response, body, scripts.get(model) ?? script, gone.signal).catch(() => response.destroy());
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    /** Scripts by upstream model name; others get the one given at the start. */
    scripts,
    seen,
    /** Answers whose caller went away, with the time of day. */
    cancelled,
    active: () => active,
    peak: () => peak,
    openSockets: () => sockets.size,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FakeUpstream = Awaited<ReturnType<typeof startFakeUpstream>>;

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request.setEncoding("utf8") as AsyncIterable<string>) text += part;
  return text;
}

async function answer(
  response: ServerResponse,
  body: Record<string, unknown>,
  script: Script,
  gone: AbortSignal,
): Promise<void> {
  if (script.thinkMs) await sleep(script.thinkMs, undefined, { signal: gone });
  const { fault } = script;
  if (fault?.kind === "refuse") {
    response.writeHead(fault.status, { "content-type": "application/json" });
    response.end(JSON.stringify(fault.body ?? { error: { message: `scripted ${fault.status}` } }));
    return;
  }
  if (fault?.kind === "reset" && fault.after === 0) return void response.socket?.resetAndDestroy();
  if (fault?.kind === "stall" && fault.after === 0) return;
  if (body.stream) await stream(response, body, script, gone);
  else await whole(response, body, script, gone);
}

async function whole(
  response: ServerResponse,
  body: Record<string, unknown>,
  { tokens = ["Hel", "lo", "!"], delayMs = 0, usage = USAGE, fault }: Script,
  gone: AbortSignal,
): Promise<void> {
  if (delayMs) await sleep(delayMs * tokens.length, undefined, { signal: gone });
  const message = { role: "assistant", content: tokens.join("") };
  const text = JSON.stringify({
    id: "up-1",
    object: "chat.completion",
    created: 1,
    model: body.model,
    choices: [{ index: 0, message, finish_reason: "stop" }],
    ...(usage && { usage }),
  });
  response.writeHead(200, { "content-type": "application/json", ...(fault && { "content-length": text.length }) });
  if (!fault) return void response.end(text);
  if (fault.kind === "wrong json") return void response.end("<html>".padEnd(text.length));
  response.write(text.slice(0, 20));
  await sleep(10);
  if (fault.kind === "reset") response.socket?.resetAndDestroy();
  else response.socket?.end();
}

async function stream(
  response: ServerResponse,
  body: Record<string, unknown>,
  { tokens = ["Hel", "lo", "!"], delayMs = 0, usage = USAGE, fault }: Script,
  gone: AbortSignal,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (choices: object[], more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: "up-1", object: "chat.completion.chunk", created: 1, model: body.model, choices, ...more })}\n\n`,
    );
  for (const [index, content] of tokens.entries()) {
    if (fault && "after" in fault && fault.after === index) return breakOff(response, fault);
    chunk([{ index: 0, delta: { content }, finish_reason: null }]);
    if (delayMs) await sleep(delayMs, undefined, { signal: gone });
  }
  if (fault?.kind !== "no finish reason") chunk([{ index: 0, delta: {}, finish_reason: "stop" }]);
  if (usage) chunk([], { usage });
  response.end("data: [DONE]\n\n");
}

async function breakOff(response: ServerResponse, fault: Fault): Promise<void> {
  await sleep(10); // what was written before arrives first
  switch (fault.kind) {
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "hang up":
      response.socket?.end();
      return;
    case "half frame":
      response.end('data: {"id":"up-1","choices":[{"ind');
      return;
    case "half character":
      response.write('data: {"choices":[{"index":0,"delta":{"content":"');
      response.end(Buffer.from("é").subarray(0, 1));
      return;
    case "error event":
      response.end('data: {"error":{"message":"scripted secret of the backend"}}\n\n');
      return;
    case "wrong json":
      response.end("data: {nonsense\n\ndata: [DONE]\n\n");
      return;
    default: // a stall: nothing more comes
  }
}
