import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Dependencies } from "../dependencies.ts";

const IDLE_CHECK_MS = 100;
/** Streams that never end by themselves, such as live figures, are cut when no call has run for so long. */
const QUIET_MS = 5_000;
/** What callers are told at the very end takes this long to arrive. */
const LAST_WORDS_MS = 1_000;

type Drained = Pick<Dependencies, "lifecycle" | "running" | "settings" | "usage" | "refusals" | "denials">;

/**
 * Says that the server is not ready, takes requests for a while longer so that load balancers turn away first, closes
 * the listener, and lets what runs finish; what does not in time, or once the end is forced, is interrupted and its
 * callers are told. Resolves when every receipt is written.
 */
export async function drain(server: FastifyInstance, deps: Drained, forced: AbortSignal): Promise<void> {
  const { lifecycle, running, settings, usage, refusals, denials } = deps;
  lifecycle.draining = true;
  await sleep(settings.FEATHER_SHUTDOWN_DELAY * 1000, undefined, { signal: forced }).catch(() => {});
  const closed = server.close();
  let quietSince = performance.now();
  const idle = setInterval(() => {
    // Connections whose last response ended after the close would stay open for a next request.
    server.server.closeIdleConnections();
    if (running.count() > 0) quietSince = performance.now();
    else if (performance.now() - quietSince > QUIET_MS) server.server.closeAllConnections();
  }, IDLE_CHECK_MS);
  const interrupt = () => {
    running.interrupt();
    setTimeout(() => server.server.closeAllConnections(), LAST_WORDS_MS).unref();
  };
  const limit = setTimeout(interrupt, settings.FEATHER_DRAIN_TIMEOUT * 1000);
  forced.addEventListener("abort", interrupt, { once: true });
  if (forced.aborted) interrupt();
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
  await Promise.all([usage.flush(), refusals.flush(), denials.settled()]);
}
