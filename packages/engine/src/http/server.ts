import { createHash, timingSafeEqual } from "node:crypto";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { ApiError } from "../openai/errors.ts";
import { withExactSchemas } from "../openai/exact-schemas.ts";
import { registerChatRoute } from "./chat.route.ts";
import { registerCompletionRoute } from "./completion.route.ts";
import type { ServerDependencies } from "./dependencies.ts";
import { registerEmbeddingRoute } from "./embedding.route.ts";
import { installErrorHandling } from "./errors.ts";
import { registerModelRoutes } from "./model.routes.ts";

const BODY_LIMIT = 16 * 1024 * 1024;

/** The HTTP server of one model. */
export type EngineServer = {
  app: FastifyInstance;
  /** Aborts all running requests with an error, so that closing the app does not wait for them. */
  abortRequests(): void;
};

/** Creates the HTTP server for one loaded model; it does not listen yet. */
export function createEngineServer(dependencies: ServerDependencies): EngineServer {
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    genReqId: () => dependencies.newId(),
  });
  const stopping = new AbortController();
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    if (dependencies.apiKey !== undefined) requireKey(dependencies.apiKey, request);
  });
  addBodyParser(app);
  installErrorHandling(app, dependencies.log, BODY_LIMIT);
  registerModelRoutes(app, dependencies);
  registerChatRoute(app, dependencies, stopping.signal);
  registerCompletionRoute(app, dependencies, stopping.signal);
  registerEmbeddingRoute(app, dependencies, stopping.signal);
  return {
    app,
    abortRequests() {
      stopping.abort(new ApiError(503, "capacity_exhausted", "The engine is shutting down. Send the request again."));
    },
  };
}

/**
 * Adds Fastify's own JSON parser, extended so that numbers in the schemas of tools keep the text in which they were
 * sent. Errors are passed to `done`: thrown here, they would end the process.
 */
function addBodyParser(app: FastifyInstance): void {
  const parsePlain = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, text, done) =>
    parsePlain(request, text, (failure, body) => {
      if (failure) return done(failure);
      try {
        done(null, withExactSchemas(body, text));
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    }),
  );
}

/** As vLLM does it: /health is open, for probes. */
function requireKey(apiKey: string, { url, headers }: FastifyRequest): void {
  if (!url.startsWith("/v1")) return;
  const hash = (text: string) => createHash("sha256").update(text).digest();
  if (!timingSafeEqual(hash(headers.authorization ?? ""), hash(`Bearer ${apiKey}`)))
    throw new ApiError(401, "unauthorized", "The API key of this engine is missing or wrong.");
}
