import { setTimeout as sleep } from "node:timers/promises";
import { MODEL } from "./environment.ts";

/** Where callers call, and with which API key. */
export type CallTarget = { url: string; key: string };

/** What callers have seen. */
export type Seen = {
  /** Numbers of answers by status; 0 for a connection that broke. */
  statuses: Map<number, number>;
  /** Ids of the requests that were answered with 200. */
  answered: string[];
  /** Answers that are neither tokens nor a call to come again, with their status. */
  others: string[];
};

/** Callers who each make one call after the other until they are stopped. */
export type Callers = {
  seen: Seen;
  /** Resolves when this many more calls were answered. */
  answered(count: number): Promise<void>;
  stop(): Promise<Seen>;
};

const POLL_MS = 20;
/** A caller of a server that stands still gives up after this long, as nginx does. */
const GIVE_UP_MS = 30_000;
/** How long a stream waits for a free unit; the other callers do not wait. */
const STREAM_WAIT_SECONDS = 30;
const PAUSE_AFTER_REFUSAL_MS = 50;
const EXPECTED_STATUSES = [200, 429, 503];

/** Starts this many callers. */
export function startCallers(target: CallTarget, count: number): Callers {
  const seen: Seen = { statuses: new Map(), answered: [], others: [] };
  const stopping = new AbortController();
  const all = Promise.all(Array.from({ length: count }, () => callUntil(target, seen, stopping.signal)));
  return {
    seen,
    async answered(more) {
      const target = seen.answered.length + more;
      while (seen.answered.length < target) await sleep(POLL_MS);
    },
    async stop() {
      stopping.abort();
      await all;
      return seen;
    },
  };
}

async function callUntil(target: CallTarget, seen: Seen, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const status = await call(target, seen);
    seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
    if (status !== 200) await sleep(PAUSE_AFTER_REFUSAL_MS);
  }
}

async function call(target: CallTarget, seen: Seen): Promise<number> {
  try {
    const body = { messages: [{ role: "user", content: "Well?" }] };
    const response = await post(target, body, { signal: AbortSignal.timeout(GIVE_UP_MS) });
    const text = await response.text();
    if (!EXPECTED_STATUSES.includes(response.status)) seen.others.push(`${response.status}: ${text}`);
    if (response.status === 200) seen.answered.push(response.headers.get("request-id") ?? "");
    return response.status;
  } catch {
    return 0;
  }
}

/** Streams of a number of tokens each, 20 a second, spread over the replicas. Resolves with how many were complete. */
export async function stream(target: CallTarget, count: number, tokens: number): Promise<number> {
  const texts = await Promise.all(
    Array.from({ length: count }, async () => {
      try {
        const body = { stream: true, max_tokens: tokens, messages: [{ role: "user", content: "Tell me more." }] };
        return await (await post(target, body, { waitSeconds: STREAM_WAIT_SECONDS })).text();
      } catch {
        return "";
      }
    }),
  );
  return texts.filter((text) => text.includes("[DONE]") && !text.includes('"error"')).length;
}

/** Sends a call; with seconds to wait for units, if given. */
export function post(
  target: CallTarget,
  body: object,
  { waitSeconds, signal }: { waitSeconds?: number; signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(`${target.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${target.key}`,
      "content-type": "application/json",
      ...(waitSeconds !== undefined && { "x-queue-timeout": String(waitSeconds) }),
    },
    body: JSON.stringify({ model: MODEL, ...body }),
    ...(signal && { signal }),
  });
}
