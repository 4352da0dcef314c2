/**
 * A stand-in for Anthropic's Messages API, which cannot run here. It is written from the reference at
 * https://platform.claude.com/docs/en/api/messages: it refuses what the API refuses and answers, buffered and streamed, with
 * the blocks of a script. Its faults are those that the reference lists: errors by status, in the middle of a stream, and a
 * stream that ends early.
 */
import type { ServerResponse } from "node:http";
import { startHttpServer } from "./http-server.ts";

type Fields = Record<string, unknown>;

/** How the stand-in answers. */
export type AnthropicScript = {
  /** The blocks of the answer. */
  content?: readonly Fields[];
  stopReason?: string;
  stopSequence?: string;
  usage?: Fields;
  /** An error in place of an answer, or after the first event of a stream. */
  fault?: { kind: "refuse" | "error event"; status: number; type: string; message: string } | { kind: "cut" };
  /** What `GET /v1/models` lists. */
  models?: readonly Fields[];
  /** Computes the answer from the body of the call; its fields replace those of the script. */
  reply?: (body: Fields) => Omit<AnthropicScript, "reply">;
};

/** The key that the stand-in accepts. */
export const ANTHROPIC_KEY = "sk-ant-api03-test";
const USAGE = {
  input_tokens: 7,
  cache_creation_input_tokens: 20,
  cache_read_input_tokens: 30,
  output_tokens: 5,
  output_tokens_details: { thinking_tokens: 2 },
};
const VERSIONS = ["2023-06-01", "2026-10-21"];
/** Fields that the second version no longer takes, from the guide for migrating to it. */
const REMOVED = ["temperature", "top_p", "top_k"];
/** Characters of each delta. */
const PIECE = 4;

/** Starts the stand-in. Its script can be replaced while it runs. */
export async function startFakeAnthropic(script: AnthropicScript = {}) {
  const state = { script };
  const bodies: Fields[] = [];
  const server = await startHttpServer(({ method, url, headers, body }, response) => {
    // The reference names the header x-api-key; the official client for JavaScript 1.9.0 sends the other one.
    if (headers["x-api-key"] !== ANTHROPIC_KEY && headers.authorization !== `Bearer ${ANTHROPIC_KEY}`)
      return sendError(response, 401, "authentication_error", "invalid x-api-key");
    const version = String(headers["anthropic-version"]);
    if (!VERSIONS.includes(version))
      return sendError(response, 400, "invalid_request_error", "anthropic-version: header is required");
    if (method === "GET" && url.startsWith("/v1/models"))
      return sendJson(response, 200, { data: state.script.models ?? [], has_more: false });
    if (method !== "POST" || url !== "/v1/messages") return sendError(response, 404, "not_found_error", "Not found");
    const request = JSON.parse(body) as Fields;
    bodies.push(request);
    const problem = findProblem(request, version);
    if (problem !== null) return sendError(response, 400, "invalid_request_error", problem);
    const current = { ...state.script, ...state.script.reply?.(request) };
    const { fault } = current;
    if (fault?.kind === "refuse") return sendError(response, fault.status, fault.type, fault.message);
    return request.stream === true
      ? sendStream(response, current, request)
      : sendJson(response, 200, toMessage(current, request));
  });
  return {
    baseUrl: `${server.url}/v1`,
    /** The origin, which the official client takes. */
    origin: server.url,
    /** The bodies of the calls so far. */
    bodies,
    answer: (next: AnthropicScript) => {
      state.script = next;
    },
    close: server.close,
  };
}

/** Returns what the API says of a body that it refuses; null if it takes it. */
function findProblem(
  { max_tokens, messages, system, thinking, tool_choice, tools, ...others }: Fields,
  version: string,
): string | null {
  const removed = version === "2023-06-01" ? undefined : REMOVED.find((name) => others[name] !== undefined);
  if (removed !== undefined) return `${removed}: Extra inputs are not permitted`;
  if (!Number.isInteger(max_tokens)) return "max_tokens: Field required";
  if (!Array.isArray(messages) || messages.length === 0) return "messages: at least one message is required";
  for (const [at, { role, content }] of (messages as Fields[]).entries()) {
    if (role !== "user" && role !== "assistant") return `messages.${at}.role: Input should be 'user' or 'assistant'`;
    const problem = findContentProblem(content);
    if (problem !== null) return `messages.${at}.content: ${problem}`;
  }
  const systemProblem = system === undefined ? null : findContentProblem(system);
  if (systemProblem !== null) return `system: ${systemProblem}`;
  if (tool_choice !== undefined && !Array.isArray(tools)) return "tool_choice: may only be specified with tools";
  const budget = (thinking as Fields | undefined)?.budget_tokens;
  if (typeof budget === "number" && budget >= Number(max_tokens))
    return "`max_tokens` must be greater than `thinking.budget_tokens`";
  return findUnansweredCall(messages as Fields[]);
}

function findContentProblem(content: unknown): string | null {
  if (typeof content === "string") return content === "" ? "text content blocks must be non-empty" : null;
  if (!Array.isArray(content) || content.length === 0) return "Input should be a non-empty array";
  for (const { type, text, input, source } of content as Fields[]) {
    if (type === "text" && (typeof text !== "string" || text === "")) return "text content blocks must be non-empty";
    if (type === "tool_use" && (typeof input !== "object" || input === null || Array.isArray(input)))
      return "tool_use.input: Input should be a valid dictionary";
    if ((type === "image" || type === "document") && typeof source !== "object") return "source: Field required";
    if (type === "thinking" && !content.some((block: Fields) => typeof block.signature === "string"))
      return "thinking.signature: Field required";
    const known = ["text", "image", "document", "tool_use", "tool_result", "thinking", "redacted_thinking"];
    if (!known.includes(String(type))) return `Input tag '${String(type)}' does not match any of the expected tags`;
  }
  return null;
}

/** Each call of a tool needs its result in the next message. */
function findUnansweredCall(messages: readonly Fields[]): string | null {
  for (const [at, { content }] of messages.entries()) {
    const calls = blocksOf(content).filter(({ type }) => type === "tool_use");
    const results = new Set(blocksOf(messages[at + 1]?.content).map(({ tool_use_id: id }) => id));
    const open = calls.find(({ id }) => !results.has(id));
    if (open) return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`;
  }
  return null;
}

function blocksOf(content: unknown): Fields[] {
  return Array.isArray(content) ? (content as Fields[]) : [];
}

function toMessage(
  {
    content = [{ type: "text", text: "Hello!" }],
    stopReason = "end_turn",
    stopSequence,
    usage = USAGE,
  }: AnthropicScript,
  { model }: Fields,
): Fields {
  return {
    id: "msg_01",
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: stopReason,
    stop_sequence: stopSequence ?? null,
    usage,
  };
}

function sendStream(response: ServerResponse, script: AnthropicScript, request: Fields): void {
  const message = toMessage(script, request);
  const { output_tokens: written, ...read } = message.usage as Fields;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const emit = (type: string, fields: Fields) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  const empty = {
    ...message,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...read, output_tokens: 1 },
  };
  emit("message_start", { message: empty });
  emit("ping", {});
  if (script.fault?.kind === "error event") {
    const { type, message: text } = script.fault;
    emit("error", { error: { type, message: text }, request_id: "req_011" });
    response.end();
    return;
  }
  for (const [index, block] of (message.content as Fields[]).entries()) sendBlock(emit, block, index);
  if (script.fault?.kind === "cut") return void response.end();
  const { stop_reason, stop_sequence } = message;
  emit("message_delta", { delta: { stop_reason, stop_sequence }, usage: { ...read, output_tokens: written } });
  emit("message_stop", {});
  response.end();
}

function sendBlock(emit: (type: string, fields: Fields) => void, block: Fields, index: number): void {
  const { start, deltas } = splitBlock(block);
  emit("content_block_start", { index, content_block: start });
  for (const delta of deltas) emit("content_block_delta", { index, delta });
  emit("content_block_stop", { index });
}

/** Returns a block as it begins, and the deltas that complete it. */
function splitBlock(block: Fields): { start: Fields; deltas: Fields[] } {
  switch (block.type) {
    case "text":
      return {
        start: { type: "text", text: "" },
        deltas: split(String(block.text)).map((text) => ({ type: "text_delta", text })),
      };
    case "thinking":
      return {
        start: { type: "thinking", thinking: "", signature: "" },
        deltas: [
          ...split(String(block.thinking)).map((thinking) => ({ type: "thinking_delta", thinking })),
          { type: "signature_delta", signature: block.signature },
        ],
      };
    case "tool_use":
      return {
        start: { ...block, input: {} },
        deltas: ["", ...(Object.keys(block.input as Fields).length > 0 ? split(JSON.stringify(block.input)) : [])].map(
          (partial_json) => ({ type: "input_json_delta", partial_json }),
        ),
      };
    default:
      return { start: block, deltas: [] };
  }
}

function split(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, at) => text.slice(at * PIECE, (at + 1) * PIECE));
}

function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  sendJson(response, status, { type: "error", error: { type, message }, request_id: "req_011" });
}

function sendJson(response: ServerResponse, status: number, body: Fields): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
