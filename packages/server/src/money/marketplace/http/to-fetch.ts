import type { Outgoing } from "../../../platform/core/network/outgoing.ts";

/** Returns the guarded client as `jose` wants it for fetching keys, with the types of the platform's `fetch`. */
export function toFetch(fetch: Outgoing["fetch"]) {
  const send = (url: string, { headers, signal }: { headers: Headers; signal: AbortSignal }) =>
    fetch(url, { headers: Object.fromEntries(headers), signal });
  return send as unknown as typeof globalThis.fetch;
}
