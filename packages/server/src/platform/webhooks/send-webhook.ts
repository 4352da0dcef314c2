import type { Clock } from "../core/clock.ts";
import { hasCode } from "../core/errors/index.ts";
import type { Outgoing } from "../core/network/outgoing.ts";
import { SECOND_MS } from "../core/time.ts";
import { parseRetryAfterMs } from "./retry-schedule.ts";
import { signWebhook } from "./signature.ts";

type Deps = { outgoing: Pick<Outgoing, "fetch">; clock: Clock; timeoutMs: number; productName: string };

/** A request to an endpoint, and the secrets with which it is signed. */
export type WebhookRequest = { url: string; eventId: string; body: string; secrets: readonly string[] };

/**
 * The result of an attempt: the status of the response, if any, and the reason of a failure in words; null if it succeeded.
 */
export type AttemptResult = { status: number | null; error: string | null; retryAfterMs: number | null };

/**
 * Makes one attempt. It ends when the head of the response arrives or after `timeoutMs`: the body of the response is not
 * read, and redirects are not followed. Never throws.
 */
export async function sendWebhook(deps: Deps, request: WebhookRequest): Promise<AttemptResult> {
  const { outgoing, clock, timeoutMs, productName } = deps;
  const now = clock.now();
  const timestampSeconds = Math.floor(now.getTime() / SECOND_MS);
  const { url, eventId: id, body, secrets } = request;
  try {
    const response = await outgoing.fetch(url, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "user-agent": `${toToken(productName)}-Webhooks`,
        "webhook-id": id,
        "webhook-timestamp": String(timestampSeconds),
        "webhook-signature": signWebhook(secrets, { id, timestampSeconds, body }),
      },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status, headers } = response;
    await response.body?.cancel().catch(() => {}); // also when the endpoint hangs up meanwhile
    return { status, error: describeStatus(status), retryAfterMs: parseRetryAfterMs(headers.get("retry-after"), now) };
  } catch (error) {
    return { status: null, error: describeError(error, timeoutMs), retryAfterMs: null };
  }
}

/** Returns a name with only the characters that are allowed in this header. */
function toToken(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, "") || "Server";
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The endpoint redirected (${status}), which is not followed.`;
  return `The endpoint responded with ${status}.`;
}

/** Returns why there was no response, without the address, which may contain a token of the endpoint. */
function describeError(error: unknown, timeoutMs: number): string {
  if (hasCode(error, "outgoing.address_refused"))
    return "The address is not public, and the operator does not allow it.";
  if (error instanceof Error && error.name === "TimeoutError")
    return `The endpoint did not respond within ${timeoutMs / SECOND_MS} seconds.`;
  return `The connection failed${describeCode(error)}.`;
}

function describeCode(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("code" in cause && typeof cause.code === "string" && /^[A-Z_]{2,40}$/.test(cause.code))
      return ` (${cause.code})`;
  return "";
}
