import type { ModelDetail, Receipt } from "@feather/sdk";
import { http, type Sent } from "@feather/sdk/msw";
import { buildModel, buildPage } from "@feather/testing/builders";
import { formatChunk, formatEvent, formatUsage, type Usage } from "@feather/testing/chat-events";
import type { StubHandlers } from "@feather/testing/stub";
import { searchParamsOf } from "./page.tsx";

type Chunk = { content?: string; reasoning_content?: string; tool_calls?: unknown };

const encoder = new TextEncoder();
const USAGE: Usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };

/** Creates a streamed chat response that the test feeds chunk by chunk and ends. */
export function createChatStream(requestId = "req_1") {
  let streamController: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      streamController = controller;
    },
  });
  const enqueue = (event: string) => streamController?.enqueue(encoder.encode(event));
  return {
    response: new Response(stream, { headers: { "content-type": "text/event-stream", "request-id": requestId } }),
    sendText: (content: string) => enqueue(formatChunk({ content })),
    send: (delta: Chunk, finish: string | null = null) => enqueue(formatChunk(delta, finish)),
    end(finish = "stop", usage: Usage = USAGE): void {
      enqueue(formatChunk({}, finish) + formatUsage(usage) + formatEvent("[DONE]"));
      streamController?.close();
    },
    fail(error: object): void {
      enqueue(formatEvent({ error }));
      streamController?.close();
    },
    close: () => streamController?.close(),
  };
}

/** Returns a streamed chat response that is complete at once. */
export function completeChatResponse(text: string, requestId?: string): Response {
  const chatStream = createChatStream(requestId);
  chatStream.sendText(text);
  chatStream.end();
  return chatStream.response;
}

/** Returns a small model of the catalogue as its page reads it, without a readme. */
export const catalogueModel = (id: string, overrides: Parameters<typeof buildModel>[0] = {}) => ({
  readme: null,
  places: [],
  probes: [],
  ...buildModel({
    id,
    model_class: "small",
    family: null,
    license: null,
    description: "",
    context_length: 32_768,
    ...overrides,
  }),
});

/** Returns the receipt of a request that had two units. */
export const buildReceipt = (overrides: Partial<Sent<Receipt>> = {}): Sent<Receipt> => ({
  id: "req_1",
  model: "Qwen/Qwen3-32B",
  alias: null,
  model_class: "qwen3-32b",
  deployment_id: null,
  kind: "chat",
  outcome: "completed",
  status: 200,
  error_code: null,
  streamed: true,
  prompt_tokens: 12,
  completion_tokens: 5,
  cached_tokens: 0,
  audio_seconds: null,
  estimated: false,
  units: 2,
  api_key_id: null,
  user_id: null,
  billing_mode: "subscription",
  cost_status: "not_applicable",
  cost_nano_usd: "0",
  price: null,
  started_at: "2026-11-19T14:01:02Z",
  place: "server",
  chosen_by: "balanced",
  own_key: false,
  own_key_fee_percent: null,
  passed_over: [],
  queued_ms: 0,
  first_byte_ms: 236,
  duration_ms: 3410,
  ...overrides,
});

/** Handlers of the calls the chat makes, with a catalogue of these models. */
export const chatHandlers = (models: readonly Sent<ModelDetail>[]): StubHandlers => [
  http.models.list(({ request }) => {
    const availability = searchParamsOf(request).get("availability") ?? "warm";
    return buildPage(availability === "warm" ? models : []);
  }),
  ...models.map((model) => http.models.get(model, { params: { id: model.id } })),
  http.usage.requests.get(buildReceipt(), { params: { id: "req_1" } }),
];
