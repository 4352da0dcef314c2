import type { ServerResponse } from "node:http";

/** Returns a signal that aborts when the caller has gone, so that nothing is asked for nobody. */
export function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return gone.signal;
}
