/** A minimal proxy that forwards every request to one URL: the reference of the gateway measurements. */
import { createServer } from "node:http";
import { Agent, request } from "undici";
import { listen } from "./listen.ts";

const target = process.argv[2] ?? "";
const agent = new Agent({ connections: 16_384 });

listen(
  createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      request(target + (incoming.url ?? "/"), {
        method: "POST",
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
  }),
);
