import { buildModel, buildPage } from "@feather/testing/builders";
import { formatChunk, formatEvent, formatUsage, type Usage } from "@feather/testing/chat-events";
import type { StubRoutes } from "./page.tsx";

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

/** Returns a small model of the catalogue. */
export const catalogueModel = (id: string, overrides: Parameters<typeof buildModel>[0] = {}) =>
  buildModel({
    id,
    model_class: "small",
    family: null,
    license: null,
    description: "",
    context_length: 32_768,
    ...overrides,
  });

/** Returns the receipt of a request. */
export const receiptOf = (id: string, overrides: object = {}) => ({
  id,
  units: 2,
  prompt_tokens: 12,
  completion_tokens: 5,
  estimated: false,
  cost_status: "not_applicable",
  cost_nano_usd: "0",
  ...overrides,
});

/** Routes of the calls the chat makes, with a catalogue of these models. */
export function chatRoutes(models: { id: string }[]): StubRoutes {
  const single = models.map((model) => [
    `GET /feather/models/${encodeURIComponent(model.id)}`,
    () => ({ body: model }),
  ]);
  return {
    "GET /feather/models": ({ query }) => ({
      body: buildPage(query.get("availability") === "warm" || !query.has("availability") ? models : []),
    }),
    "GET /usage/requests/req_1": () => ({ body: receiptOf("req_1") }),
    ...Object.fromEntries(single),
  };
}
