import type { StubRoutes } from "./page.tsx";

type Chunk = { content?: string; reasoning_content?: string; tool_calls?: unknown };
type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number };

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
  const enqueue = (data: string) => streamController?.enqueue(encoder.encode(`data: ${data}\n\n`));
  const sendDelta = (delta: Chunk, finish: string | null = null) =>
    enqueue(
      JSON.stringify({
        id: "c",
        object: "chat.completion.chunk",
        created: 1,
        model: "m",
        choices: [{ index: 0, delta, finish_reason: finish }],
      }),
    );
  return {
    response: new Response(stream, { headers: { "content-type": "text/event-stream", "request-id": requestId } }),
    sendText: (content: string) => sendDelta({ content }),
    send: sendDelta,
    end(finish = "stop", usage: Usage = USAGE): void {
      sendDelta({}, finish);
      enqueue(JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage }));
      enqueue("[DONE]");
      streamController?.close();
    },
    fail(error: object): void {
      enqueue(JSON.stringify({ error }));
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

/** Returns a model of the catalogue with the fields the chat uses. */
export const catalogueModel = (id: string, overrides: object = {}) => ({
  id,
  name: id.split("/")[1],
  owned_by: id.split("/")[0],
  model_class: "small",
  family: null,
  sub_type: null,
  parameter_size: 7e9,
  context_length: 32_768,
  max_completion_tokens: 8192,
  concurrency_cost: 2,
  description: "",
  license: null,
  tags: [],
  languages: [],
  input_modalities: ["text"],
  features: { tool_use: true, image_input: false, json_mode: true, reasoning: false },
  pricing: null,
  availability: {
    tier: "warm",
    is_hot_live: true,
    is_hot_recent: true,
    loading_stage: null,
    loading_progress: null,
    estimated_ready_at: null,
    checked_at: "2026-11-21T08:00:00Z",
  },
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

/** Returns a list response with these models. */
const modelPage = (items: object[]) => ({
  items,
  pagination: { current_page: 1, per_page: 50, total_items: items.length, total_pages: 1 },
});

/** Routes of the calls the chat makes, with a catalogue of these models. */
export function chatRoutes(models: { id: string }[]): StubRoutes {
  const single = models.map((model) => [
    `GET /feather/models/${encodeURIComponent(model.id)}`,
    () => ({ body: model }),
  ]);
  return {
    "GET /feather/models": ({ query }) => ({
      body: modelPage(query.get("availability") === "warm" || !query.has("availability") ? models : []),
    }),
    "GET /usage/requests/req_1": () => ({ body: receiptOf("req_1") }),
    ...Object.fromEntries(single),
  };
}
