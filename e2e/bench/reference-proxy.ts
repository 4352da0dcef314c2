import { createServer, type Server } from "node:http";
import { Agent, request } from "undici";

/** The least a proxy can do: pass a request to one address and its answer back. Everything else is measured against it. */
export function startReferenceProxy(target: string): Promise<{ url: string; close(): Promise<void> }> {
  const agent = new Agent({ connections: 128 });
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      request(target + (incoming.url ?? "/"), {
        method: incoming.method as "POST",
        dispatcher: agent,
        headers: { "content-type": "application/json" },
        body: Buffer.concat(parts),
      })
        .then(({ statusCode, headers, body }) => {
          outgoing.writeHead(statusCode, { "content-type": String(headers["content-type"]) });
          body.pipe(outgoing);
        })
        .catch(() => outgoing.writeHead(502).end());
    });
  });
  return listening(server, () => agent.close());
}

/** A backend that answers at once, so that only what stands before it is measured. */
export function startInstantBackend(): Promise<{ url: string; close(): Promise<void> }> {
  const answer = JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "bench/instant",
    choices: [{ index: 0, message: { role: "assistant", content: "Mostly trapped air." }, finish_reason: "stop" }],
    usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
  });
  const models = JSON.stringify({ object: "list", data: [{ id: "bench/instant", object: "model" }] });
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    incoming.on("end", () =>
      outgoing.writeHead(200, { "content-type": "application/json" }).end(incoming.method === "GET" ? models : answer),
    );
  });
  return listening(server, async () => {});
}

function listening(server: Server, cleanUp: () => Promise<void>): Promise<{ url: string; close(): Promise<void> }> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      const close = async () => {
        server.closeAllConnections();
        server.close();
        await cleanUp();
      };
      resolve({ url: `http://127.0.0.1:${port}`, close });
    });
  });
}
