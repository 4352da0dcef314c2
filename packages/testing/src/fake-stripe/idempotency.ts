import { StripeFault } from "./errors.ts";

/** A response of the API. */
export type Reply = { status: number; body: unknown };

/** Remembers responses by idempotency key. */
export type Idempotency = ReturnType<typeof createIdempotency>;

/**
 * Creates the memory of idempotency keys, as https://docs.stripe.com/api/idempotent_requests describes them for version 1:
 * the first response is returned again, also an error; other parameters are refused; a request that fails validation is not
 * remembered. Keys are evicted when a test says so: Stripe does it after a day at the earliest.
 */
export function createIdempotency() {
  const replies = new Map<string, { request: string; reply: Reply }>();
  return {
    /** Returns the earlier response. Throws an `idempotency_error` for another request with the same key. */
    find(key: string | undefined, request: string): Reply | null {
      const earlier = key === undefined ? undefined : replies.get(key);
      if (!earlier) return null;
      if (earlier.request !== request)
        throw new StripeFault(400, {
          type: "idempotency_error",
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with (${key}).`,
        });
      return earlier.reply;
    },
    save(key: string | undefined, request: string, reply: Reply): void {
      const isRefused = reply.status === 400 || reply.status === 401 || reply.status === 404 || reply.status === 429;
      if (key !== undefined && !isRefused) replies.set(key, { request, reply: structuredClone(reply) });
    },
    clear: () => replies.clear(),
  };
}
