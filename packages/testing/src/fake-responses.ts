/**
 * A stand-in for OpenAI's Responses API, which cannot run here. It is written from the reference at
 * https://platform.openai.com/docs/api-reference/responses and from the types of the official package: it refuses what the API
 * refuses, and answers, buffered and streamed, with the items of a script. Its faults are those of the reference: errors by
 * status, a response that fails, an error as an event, and a stream that ends early.
 */
import type { ServerResponse } from "node:http";
import { startHttpServer } from "./http-server.ts";

type Fields = Record<string, unknown>;

/** How the stand-in answers. */
export type ResponsesScript = {
  /** The items of the answer. */
  output?: readonly Fields[];
  /** Why the answer is incomplete; complete without it. */
  incomplete?: "max_output_tokens" | "content_filter";
  fault?:
    | { kind: "refuse"; status: number; code: string; message: string }
    | { kind: "failed" | "error event"; code: string; message: string }
    | { kind: "cut" };
  /** The vectors of the embeddings, of which as many are sent as there are inputs. */
  vectors?: readonly (readonly number[])[];
  /** Computes the answer from the body of the call; its fields replace those of the script. */
  reply?: (body: Fields) => Omit<ResponsesScript, "reply">;
};

/** The key that the stand-in accepts. */
export const RESPONSES_KEY = "sk-proj-test";
const USAGE = {
  input_tokens: 57,
  input_tokens_details: { cached_tokens: 30, cache_write_tokens: 0 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 66,
};
/** What the API takes. It refuses every other field. */
const FIELDS = new Set([
  ...[
    "include",
    "input",
    "max_output_tokens",
    "metadata",
    "model",
    "parallel_tool_calls",
    "prompt_cache_key",
    "reasoning",
  ],
  ...[
    "safety_identifier",
    "store",
    "stream",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "user",
  ],
]);
/** Characters of each delta. */
const PIECE = 4;

/** Starts the stand-in. Its script can be replaced while it runs. */
export async function startFakeResponses(script: ResponsesScript = {}) {
  const state = { script };
  const bodies: Fields[] = [];
  const server = await startHttpServer(({ method, url, headers, body }, response) => {
    if (headers.authorization !== `Bearer ${RESPONSES_KEY}`)
      return sendError(response, 401, "invalid_api_key", "Incorrect API key provided.");
    if (method === "GET" && url === "/v1/models")
      return sendJson(response, 200, {
        object: "list",
        data: [{ id: "gpt-5-test", object: "model", owned_by: "openai" }],
      });
    if (method === "POST" && url === "/v1/embeddings") {
      const call = JSON.parse(body) as Fields;
      bodies.push(call);
      const { vectors = [[0.6, 0.8]] } = state.script;
      const inputs = Array.isArray(call.input) ? call.input.length : 1;
      const data = vectors.slice(0, inputs).map((embedding, index) => ({ object: "embedding", index, embedding }));
      return sendJson(response, 200, {
        object: "list",
        model: "m",
        data,
        usage: { prompt_tokens: 1, total_tokens: 1 },
      });
    }
    if (method !== "POST" || url !== "/v1/responses") return sendError(response, 404, "not_found", "Invalid URL");
    const request = JSON.parse(body) as Fields;
    bodies.push(request);
    const problem = findProblem(request);
    if (problem !== null) return sendError(response, 400, "invalid_request_error", problem);
    const current = { ...state.script, ...state.script.reply?.(request) };
    const { fault } = current;
    if (fault?.kind === "refuse") return sendError(response, fault.status, fault.code, fault.message);
    return request.stream === true
      ? sendStream(response, current, request)
      : sendJson(response, 200, toResponse(current, request));
  });
  return {
    baseUrl: `${server.url}/v1`,
    /** The bodies of the calls so far. */
    bodies,
    answer: (next: ResponsesScript) => {
      state.script = next;
    },
    close: server.close,
  };
}

/** Returns what the API says of a body that it refuses; null if it takes it. */
function findProblem({ model, input, include, max_output_tokens: limit, tools, ...others }: Fields): string | null {
  const unknown = Object.keys(others).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return `Unknown parameter: '${unknown}'.`;
  if (typeof limit === "number" && limit < 16)
    return `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${limit} instead.`;
  if (
    Array.isArray(include) &&
    include.includes("reasoning.encrypted_content") &&
    !/^(?:gpt-5|o\d)/.test(String(model))
  )
    return "Encrypted content is not supported with this model.";
  const untyped = Array.isArray(tools)
    ? (tools as Fields[]).find(({ type, name }) => type !== "function" || !name)
    : null;
  if (untyped) return "Missing required parameter: 'tools[0].name'.";
  if (typeof input === "string") return null;
  if (!Array.isArray(input) || input.length === 0) return 'One of "input" or "previous_response_id" must be provided.';
  return findItemProblem(input as Fields[]);
}

function findItemProblem(items: readonly Fields[]): string | null {
  const calls = new Set(items.filter(({ type }) => type === "function_call").map(({ call_id: id }) => id));
  const outputs = new Set(items.filter(({ type }) => type === "function_call_output").map(({ call_id: id }) => id));
  for (const [at, { type = "message", role, content, call_id: id, encrypted_content: data }] of items.entries()) {
    if (type === "function_call_output" && !calls.has(id))
      return `No tool call found for function call output with call_id ${String(id)}.`;
    if (type === "function_call" && !outputs.has(id)) return `No tool output found for function call ${String(id)}.`;
    if (type === "reasoning" && typeof data !== "string") return `Item 'rs_1' of type 'reasoning' not found.`;
    if (type !== "message") continue;
    if (!["user", "assistant", "system", "developer"].includes(String(role)))
      return `Invalid value: '${String(role)}'.`;
    const kinds = role === "assistant" ? ["output_text", "refusal"] : ["input_text", "input_image", "input_file"];
    const wrong = Array.isArray(content)
      ? (content as Fields[]).find((part) => !kinds.includes(String(part.type)))
      : null;
    if (wrong)
      return `Invalid value: '${String(wrong.type)}'. Supported values are: ${kinds.join(", ")} (input[${at}]).`;
  }
  return null;
}

function toResponse(
  { output = [toMessageItem("Hello!")], incomplete, fault }: ResponsesScript,
  { model }: Fields,
): Fields {
  const isFailed = fault?.kind === "failed";
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model,
    output: isFailed ? [] : output,
    status: isFailed ? "failed" : incomplete === undefined ? "completed" : "incomplete",
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    error: isFailed ? { code: fault.code, message: fault.message } : null,
    parallel_tool_calls: true,
    tools: [],
    usage: isFailed ? null : USAGE,
  };
}

/** Returns the item of a message with one text. */
export function toMessageItem(text: string): Fields {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
}

function sendStream(response: ServerResponse, script: ResponsesScript, request: Fields): void {
  const whole = toResponse(script, request);
  const { fault } = script;
  response.writeHead(200, { "content-type": "text/event-stream" });
  let sequence = 0;
  const emit = (type: string, fields: Fields) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`);
    sequence += 1;
  };
  const begun = { ...whole, output: [], status: "in_progress", incomplete_details: null, error: null, usage: null };
  emit("response.created", { response: begun });
  emit("response.in_progress", { response: begun });
  if (fault?.kind === "error event") {
    emit("error", { code: fault.code, message: fault.message, param: null });
    return void response.end();
  }
  for (const [index, item] of (whole.output as Fields[]).entries()) sendItem(emit, item, index);
  if (fault?.kind === "cut") return void response.end();
  emit(`response.${String(whole.status)}`, { response: whole });
  response.end();
}

type Emit = (type: string, fields: Fields) => void;

function sendItem(emit: Emit, item: Fields, output_index: number): void {
  const at = { output_index, item_id: item.id };
  const begun = { message: { content: [] }, function_call: { arguments: "" }, reasoning: { summary: [] } };
  const empty = begun[item.type as keyof typeof begun];
  const { encrypted_content: _, ...open } = item;
  emit("response.output_item.added", { output_index, item: { ...open, ...empty, status: "in_progress" } });
  if (item.type === "function_call") sendDeltas(emit, "response.function_call_arguments", item.arguments, at);
  for (const [summary_index, { text }] of listOf(item.summary).entries()) {
    emit("response.reasoning_summary_part.added", { ...at, summary_index, part: { type: "summary_text", text: "" } });
    sendDeltas(emit, "response.reasoning_summary_text", text, { ...at, summary_index });
  }
  for (const [content_index, part] of listOf(item.type === "message" ? item.content : []).entries()) {
    const [name, text] = part.type === "refusal" ? ["refusal", part.refusal] : ["output_text", part.text];
    emit("response.content_part.added", {
      ...at,
      content_index,
      part: { ...part, [name === "refusal" ? name : "text"]: "" },
    });
    sendDeltas(emit, `response.${name}`, text, { ...at, content_index, logprobs: part.logprobs ?? [] });
    emit("response.content_part.done", { ...at, content_index, part });
  }
  emit("response.output_item.done", { output_index, item });
}

function sendDeltas(emit: Emit, type: string, value: unknown, fields: Fields): void {
  const text = String(value);
  for (let at = 0; at < text.length; at += PIECE)
    emit(`${type}.delta`, { ...fields, delta: text.slice(at, at + PIECE) });
  emit(`${type}.done`, { ...fields, [type.endsWith("arguments") ? "arguments" : "text"]: text });
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  sendJson(response, status, { error: { message, type: "invalid_request_error", param: null, code } });
}

function sendJson(response: ServerResponse, status: number, body: Fields): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
