/**
 * A stand-in for an engine with a prefix cache. It computes the prompts of its calls one after the other, as long as the
 * tokens take that are not cached, and then sends the answer token by token. `GET /figures` says what it has computed,
 * `DELETE /figures` empties the cache and starts the count anew.
 */
import { createServer, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "../listen.ts";
import { type CachedPrompt, createPrefixCache } from "./prefix-cache.ts";
import { MODEL } from "./workload.ts";

const CACHE_TOKENS = 32_000;
const PREFILL_TOKENS_PER_SECOND = 8_000;
const ANSWER_TOKENS = 25;
const TOKEN_INTERVAL_MS = 20;

const cache = createPrefixCache(CACHE_TOKENS);
let figures = { calls: 0, promptTokens: 0, computedTokens: 0 };
/** Ends when the prompts are computed that have come before. */
let computing: Promise<unknown> = Promise.resolve();

listen(
  createServer((incoming, outgoing) => {
    let text = "";
    incoming.on("data", (part: Buffer) => {
      text += part.toString();
    });
    incoming.on("end", () => {
      if (incoming.url === "/figures") sendJson(outgoing, incoming.method === "DELETE" ? reset() : figures);
      else if (incoming.method === "GET")
        sendJson(outgoing, { object: "list", data: [{ id: MODEL, object: "model" }] });
      else void answer(outgoing, toPrompt(text));
    });
  }),
);

function reset(): typeof figures {
  cache.clear();
  figures = { calls: 0, promptTokens: 0, computedTokens: 0 };
  return figures;
}

/** Returns the messages as one text, as a chat template renders them. */
function toPrompt(body: string): string {
  const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] };
  return messages.map(({ role, content }) => `<${role}>${content}`).join("");
}

async function answer(outgoing: ServerResponse, prompt: string): Promise<void> {
  const computed = computing.then(() => compute(prompt));
  computing = computed;
  const usage = await computed;
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  for (let token = 0; token < ANSWER_TOKENS; token++) {
    outgoing.write(toEvent([{ index: 0, delta: { content: "word " }, finish_reason: null }]));
    await sleep(TOKEN_INTERVAL_MS);
  }
  outgoing.write(toEvent([{ index: 0, delta: {}, finish_reason: "stop" }]));
  outgoing.end(`${toEvent([], toUsage(usage))}data: [DONE]\n\n`);
}

async function compute(prompt: string): Promise<CachedPrompt> {
  const usage = cache.use(prompt);
  const computed = usage.prompt - usage.cached;
  figures.calls += 1;
  figures.promptTokens += usage.prompt;
  figures.computedTokens += computed;
  await sleep((computed / PREFILL_TOKENS_PER_SECOND) * 1_000);
  return usage;
}

function toUsage({ prompt, cached }: CachedPrompt) {
  return {
    prompt_tokens: prompt,
    completion_tokens: ANSWER_TOKENS,
    total_tokens: prompt + ANSWER_TOKENS,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

function toEvent(choices: object[], usage?: object): string {
  const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: MODEL, choices, usage };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function sendJson(outgoing: ServerResponse, body: object): void {
  outgoing.writeHead(200, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(body));
}
