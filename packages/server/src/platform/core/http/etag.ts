import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Left out of the ETag, because this field changes with every request. */
const EXCLUDED_FIELD = "checked_at";

/**
 * Sets an ETag that is computed from the answer, and sends 304 if the client has that version. Responses are private,
 * because callers may get different answers.
 */
export function withETag<T>(request: FastifyRequest, reply: FastifyReply, answer: T): T | FastifyReply {
  const text = JSON.stringify(answer, (name, value: unknown) => (name === EXCLUDED_FIELD ? undefined : value));
  const etag = `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
  reply.headers({ etag, "cache-control": "private, no-cache", vary: "authorization, cookie" });
  if (!matchesETag(request.headers["if-none-match"], etag)) return answer;
  return reply.code(304).send();
}

/** Returns whether `If-None-Match` contains the ETag (weak comparison). */
export function matchesETag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const withoutWeakness = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || withoutWeakness(tag) === withoutWeakness(etag));
}
