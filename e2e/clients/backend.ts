import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Message = { role: string; content?: unknown };
type RequestBody = { messages?: Message[]; input?: unknown; stream?: boolean; model: string };
type Reply = { content: string } | { call: { name: string; arguments: string } };

/**
 * Starts an OpenAI-compatible backend that answers "pong", or calls the tool that the prompt names: `CALL name
 * {"city":"Oslo"}`.
 */
export async function startPongBackend(): Promise<{ baseUrl: string; close(): void }> {
  const server = createServer(async (request, response) => {
    if (request.method === "GET") return void sendJson(response, { object: "list", data: [] });
    const body = JSON.parse(await readText(request)) as RequestBody;
    if (request.url?.endsWith("/embeddings")) return void sendJson(response, embeddings(body));
    const reply = createReply(body.messages ?? []);
    if (body.stream) sendStream(response, body.model, reply);
    else sendJson(response, completion(body.model, reply));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

function createReply(messages: readonly Message[]): Reply {
  const last = messages.at(-1);
  const text = messageText(last);
  if (last?.role === "tool") return { content: `The tool said: ${text}` };
  const toolCallMatch = /CALL (\w+) (\{.*?\})/.exec(text);
  return toolCallMatch?.[1] && toolCallMatch[2]
    ? { call: { name: toolCallMatch[1], arguments: toolCallMatch[2] } }
    : { content: "pong" };
}

function messageText(message: Message | undefined): string {
  const { content } = message ?? {};
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(({ text = "" }: { text?: string }) => text).join("\n") : "";
}

const USAGE = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
const toolCall = ({ name, arguments: text }: { name: string; arguments: string }) => ({
  index: 0,
  id: "call_1",
  type: "function",
  function: { name, arguments: text },
});

function completion(model: string, reply: Reply): object {
  const isCall = "call" in reply;
  const messageFields = isCall ? { content: null, tool_calls: [toolCall(reply.call)] } : { content: reply.content };
  const choice = {
    index: 0,
    message: { role: "assistant", ...messageFields },
    finish_reason: isCall ? "tool_calls" : "stop",
  };
  return { id: "up-1", object: "chat.completion", created: 1, model, choices: [choice], usage: USAGE };
}

function sendStream(response: ServerResponse, model: string, reply: Reply): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const isCall = "call" in reply;
  const deltas = isCall ? [{ tool_calls: [toolCall(reply.call)] }] : [...reply.content].map((content) => ({ content }));
  const chunk = (choices: object[], extraFields: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: "up-1", object: "chat.completion.chunk", created: 1, model, choices, ...extraFields })}\n\n`,
    );
  for (const delta of deltas) chunk([{ index: 0, delta, finish_reason: null }]);
  chunk([{ index: 0, delta: {}, finish_reason: isCall ? "tool_calls" : "stop" }]);
  chunk([], { usage: USAGE });
  response.end("data: [DONE]\n\n");
}

function embeddings({ input, model }: RequestBody): object {
  const inputs = Array.isArray(input) ? input : [input];
  const data = inputs.map((_, index) => ({ object: "embedding", index, embedding: [0.1, 0.2] }));
  return { object: "list", model, data, usage: { prompt_tokens: 2, total_tokens: 2 } };
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request.setEncoding("utf8") as AsyncIterable<string>) text += part;
  return text;
}
