import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Says when something was looked at, not what it was. */
const NOT_COUNTED = "checked_at";

/**
 * Names an answer by what it says, and leaves it out (304) for those who have it already. Each caller may get another
 * answer, so none is kept for somebody else.
 */
export function withETag<T>(request: FastifyRequest, reply: FastifyReply, answer: T): T | FastifyReply {
  const text = JSON.stringify(answer, (name, value: unknown) => (name === NOT_COUNTED ? undefined : value));
  const etag = `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
  reply.headers({ etag, "cache-control": "private, no-cache", vary: "authorization, cookie" });
  if (!knows(request.headers["if-none-match"], etag)) return answer;
  return reply.code(304).send();
}

/** Whether a caller has an answer already. Weak comparison: what stands between the quotes decides. */
export function knows(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const bare = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || bare(tag) === bare(etag));
}
