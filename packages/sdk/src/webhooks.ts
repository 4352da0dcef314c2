/**
 * Verifies webhooks, which are signed as the specification Standard Webhooks describes. It needs WebCrypto, which Node.js,
 * browsers and other runtimes have, and nothing else.
 *
 * ```ts
 * import { verifyWebhook } from "@feather/sdk/webhooks";
 *
 * const event = await verifyWebhook(await request.text(), request.headers, process.env.FEATHER_WEBHOOK_SECRET);
 * if (event.type === "deployment.ready") console.log(event.data.url);
 * ```
 */
import { reviveDates } from "./dates.ts";
import type { WebhookEvent } from "./generated/schemas.ts";

export type { WebhookEvent, WebhookEventType } from "./generated/schemas.ts";

/** The headers of a request, as `Headers`, or as an object with names in lower case, such as Node's `request.headers`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How `verifyWebhook` checks the time of a webhook. */
export type VerifyOptions = {
  /** How far its time may be from now, in seconds; 300 by default. */
  toleranceSeconds?: number | undefined;
  /** Current time in milliseconds since 1970; replaceable in tests. */
  now?: (() => number) | undefined;
};

/** A webhook that is not signed with the secret, is too old, or is none. Respond with 400, and do not use its content. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

const DEFAULT_TOLERANCE_SECONDS = 300;
const PREFIX = "whsec_";

/**
 * Returns the event of a webhook, with its dates as `Date`, after checking signature and time. `payload` is the body of the
 * request exactly as it arrived, not parsed and written again. Throws `WebhookVerificationError`; an `Error` for a secret
 * that is none. An event can arrive more than once: `event.id` is the same each time.
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | undefined,
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keyBytes = parseSecret(secret);
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  const signatures = readHeader(headers, "webhook-signature");
  checkTime(timestamp, toleranceSeconds, now());
  const body = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
  const content = concatBytes(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  if (!(await isSigned(content, signatures, keyBytes)))
    throw new WebhookVerificationError("No signature of the webhook was made with this secret.");
  return parseEvent(body);
}

/** Whether one of the signatures is right. WebCrypto compares in constant time. */
async function isSigned(content: Uint8Array<ArrayBuffer>, signatures: string, key: Uint8Array<ArrayBuffer>) {
  const hmac = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const candidates = signatures
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .flatMap((one) => decodeBase64(one.slice("v1,".length)) ?? []);
  for (const candidate of candidates) if (await crypto.subtle.verify("HMAC", hmac, candidate, content)) return true;
  return false;
}

function parseSecret(secret: string | undefined): Uint8Array<ArrayBuffer> {
  const text = secret?.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const bytes = text ? decodeBase64(text) : null;
  if (bytes === null || bytes.length === 0)
    throw new Error("The secret of the webhook endpoint is missing, or is not whsec_ and base64.");
  return bytes;
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === "function" ? headers.get(name) : (headers as Record<string, unknown>)[name];
  if (typeof value !== "string" || value === "")
    throw new WebhookVerificationError(`The request is no webhook: it has no header ${name}.`);
  return value;
}

function checkTime(timestamp: string, toleranceSeconds: number, nowMs: number): void {
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookVerificationError("webhook-timestamp is no time.");
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError("The webhook is too old, or the clock of this machine is wrong.");
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    return reviveDates(JSON.parse(new TextDecoder().decode(body)) as WebhookEvent);
  } catch {
    throw new WebhookVerificationError("The body of the webhook is not JSON.");
  }
}

/** Returns the bytes of a base64 text; null when it is none. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
