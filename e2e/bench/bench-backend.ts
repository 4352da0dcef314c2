/**
 * A fake backend with negligible cost: buffered answers are immediate, and each token of a stream is the time at which
 * it was sent, so that the reader can measure its delay. A stream with `max_tokens` sends that many tokens as fast as
 * they are taken, each in its own write. One with `seed` sends a few tokens, `seed` milliseconds apart. The program's
 * argument is the number of processes that answer, 1 by default.
 */
import cluster from "node:cluster";
import { createServer, type ServerResponse } from "node:http";
import { listen } from "./listen.ts";

const MODEL = "bench/instant";
const TOKENS = 200;
const TOKEN_INTERVAL_MS = 20; // 50 tokens a second
const FEW_TOKENS = 20;
const USAGE = { prompt_tokens: 12, completion_tokens: TOKENS, total_tokens: 12 + TOKENS };

const completion = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: MODEL,
  choices: [{ index: 0, message: { role: "assistant", content: "Mostly trapped air." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
});
const models = JSON.stringify({ object: "list", data: [{ id: MODEL, object: "model", meta: { n_params: 1e9 } }] });

const processes = Number(process.argv[2] ?? 1);
if (cluster.isPrimary && processes > 1) startProcesses(processes);
else listen(createBackend());

/** Starts processes that listen on one port, and prints its URL when all do. */
function startProcesses(count: number): void {
  cluster.setupPrimary({ args: process.argv.slice(2), silent: true });
  let listening = 0;
  cluster.on("listening", (_worker, { port }) => {
    listening += 1;
    if (listening === count) console.log(`http://127.0.0.1:${port}`);
  });
  for (let index = 0; index < count; index++) cluster.fork();
}

function createBackend() {
  return createServer((incoming, outgoing) => {
    let text = "";
    incoming.on("data", (part: Buffer) => {
      text += part.toString();
    });
    incoming.on("end", () => {
      const maxTokens = /"max_tokens":(\d+)/.exec(text)?.[1];
      const interval = /"seed":(\d+)/.exec(text)?.[1];
      if (text.includes('"stream":true')) {
        if (maxTokens !== undefined) return streamAtOnce(outgoing, Number(maxTokens));
        if (interval !== undefined) return streamSlowly(outgoing, FEW_TOKENS, Number(interval));
        return streamSlowly(outgoing, TOKENS, TOKEN_INTERVAL_MS);
      }
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end(incoming.method === "GET" ? models : completion);
    });
  });
}

function streamSlowly(outgoing: ServerResponse, tokens: number, intervalMs: number): void {
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    outgoing.write(formatToken());
    if (sent < tokens) return;
    clearInterval(timer);
    endStream(outgoing);
  }, intervalMs);
  outgoing.on("close", () => clearInterval(timer));
}

function streamAtOnce(outgoing: ServerResponse, tokens: number): void {
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  let sent = 0;
  const sendNext = () => {
    if (outgoing.destroyed) return;
    if (sent === tokens) return endStream(outgoing);
    sent += 1;
    outgoing.write(formatToken());
    setImmediate(sendNext);
  };
  sendNext();
}

function formatToken(): string {
  return formatEvent({ choices: [{ index: 0, delta: { content: `${Date.now()} ` }, finish_reason: null }] });
}

function endStream(outgoing: ServerResponse): void {
  outgoing.write(formatEvent({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }));
  outgoing.end(`${formatEvent({ choices: [], usage: USAGE })}data: [DONE]\n\n`);
}

function formatEvent(fields: object): string {
  return `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: MODEL, ...fields })}\n\n`;
}
