import type { FastifyInstance } from "fastify";
import { endWithLineFeed } from "../../platform/core/http/json-text.ts";

/**
 * Ends each JSON text that Fastify sends with a line feed, before its length is counted and it is compressed. Streams, empty
 * answers and other types of content are left as they are.
 */
export function endJsonWithLineFeed(app: FastifyInstance): void {
  app.addHook("onSend", (_request, reply, payload, done) => {
    const isJson = typeof payload === "string" && payload !== "" && isJsonType(reply.getHeader("content-type"));
    done(null, isJson ? endWithLineFeed(payload) : payload);
  });
}

const isJsonType = (type: unknown): boolean => typeof type === "string" && type.startsWith("application/json");
