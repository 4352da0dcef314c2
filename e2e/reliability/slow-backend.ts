import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a fake backend that streams slowly. `active` returns the number of running requests. */
export async function startSlowBackend(models: readonly string[]) {
  let active = 0;
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      response.end(JSON.stringify({ object: "list", data: models.map((id) => ({ id, object: "model" })) }));
      return;
    }
    let text = "";
    for await (const part of request) text += String(part);
    const body = JSON.parse(text) as { model: string; stream?: boolean; max_tokens?: number };
    const { model, stream, max_tokens = DEFAULT_TOKENS } = body;
    active += 1;
    response.on("close", () => {
      active -= 1;
    });
    if (stream) await streamAnswer(response, model, max_tokens);
    else {
      await pause(20);
      const choices = [{ index: 0, message: { role: "assistant", content: "Well." }, finish_reason: "stop" }];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id: "x", object: "chat.completion", created: 1, model, choices, usage: USAGE }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    active: () => active,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Tokens of a stream if the request sets no limit. */
const DEFAULT_TOKENS = 100;
const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };

async function streamAnswer(response: ServerResponse, model: string, tokens: number): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choice: object, extraFields: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model, choices: [{ index: 0, finish_reason: null, ...choice }], ...extraFields })}\n\n`,
    );
  for (let token = 0; token < tokens && !response.destroyed; token++) {
    send({ delta: token === 0 ? { role: "assistant", content: "One" } : { content: " more" } });
    await pause(20);
  }
  send({ delta: {}, finish_reason: "stop" }, { usage: USAGE });
  response.end("data: [DONE]\n\n");
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
