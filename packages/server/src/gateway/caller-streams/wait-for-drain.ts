import { once } from "node:events";
import type { ServerResponse } from "node:http";

/**
 * Resolves when the socket's buffer has drained. Rejects when the signal aborts. A caller who reads nothing for `stalledMs` is
 * disconnected.
 */
export async function waitForDrain(
  response: ServerResponse,
  { stalledMs, signal }: { stalledMs: number; signal: AbortSignal },
): Promise<void> {
  const stalled = setTimeout(() => response.destroy(), stalledMs);
  try {
    await once(response, "drain", { signal });
  } finally {
    clearTimeout(stalled);
  }
}
