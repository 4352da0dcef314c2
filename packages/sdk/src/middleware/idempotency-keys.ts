import type { Middleware } from "openapi-fetch";
import { OPERATIONS } from "../generated/operations.ts";
import { isModelPath, type Operation } from "../operations.ts";

const PATHS = new Set(
  Object.values<Operation>(OPERATIONS)
    .filter(
      ({ method, path, ignoresIdempotencyKey }) => method === "POST" && !isModelPath(path) && !ignoresIdempotencyKey,
    )
    .map(({ path }) => path),
);

/**
 * Gives a POST that has none an idempotency key, by which the server recognises a retry, if the server keeps the operation's
 * results. It keeps none of calls to models, which can be repeated without, and of callers who are not signed in: from those a
 * key is removed, so that they are not repeated when they may have been carried out.
 */
export function createIdempotencyKeys(createKey: () => string): Middleware {
  return {
    onRequest({ request, schemaPath }) {
      if (request.method !== "POST") return;
      if (!PATHS.has(schemaPath)) request.headers.delete("idempotency-key");
      else if (!request.headers.has("idempotency-key")) request.headers.set("idempotency-key", createKey());
    },
  };
}
