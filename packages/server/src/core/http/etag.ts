import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** This field changes on every check, so it is left out of the ETag. */
const EXCLUDED_FIELD = "checked_at";

/**
 * Sets an ETag computed from the answer, and sends 304 when the client already has it. Responses are private, because
 * each caller may get another answer.
 */
export function withETag<T>(request: FastifyRequest, reply: FastifyReply, answer: T): T | FastifyReply {
  const text = JSON.stringify(answer, (name, value: unknown) => (name === EXCLUDED_FIELD ? undefined : value));
  const etag = `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
  reply.headers({ etag, "cache-control": "private, no-cache", vary: "authorization, cookie" });
  if (!matchesETag(request.headers["if-none-match"], etag)) return answer;
  return reply.code(304).send();
}

/** Whether `If-None-Match` contains the ETag (weak comparison). */
export function matchesETag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const withoutWeakness = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || withoutWeakness(tag) === withoutWeakness(etag));
}
