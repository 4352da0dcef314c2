import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Dependencies } from "../dependencies.ts";

const IDLE_CHECK_MS = 100;
/** Streams that never end by themselves, such as live usage, are closed when no call has run for this long. */
const QUIET_MS = 5_000;
/** Time for the final error messages to reach the callers. */
const LAST_WORDS_MS = 1_000;

type Drained = Pick<Dependencies, "lifecycle" | "running" | "settings" | "usage" | "refusals" | "denials">;

/**
 * Stops the server gracefully: reports not ready, keeps accepting requests during the shutdown delay so that load
 * balancers can switch, closes the listener, and lets running calls finish. Calls that exceed the drain timeout, or
 * still run once `forced` aborts, are aborted with an error for their callers. Resolves when all usage rows are
 * written.
 */
export async function drain(server: FastifyInstance, deps: Drained, forced: AbortSignal): Promise<void> {
  const { lifecycle, running, settings, usage, refusals, denials } = deps;
  lifecycle.draining = true;
  await sleep(settings.FEATHER_SHUTDOWN_DELAY * 1000, undefined, { signal: forced }).catch(() => {});
  const closed = server.close();
  let quietSince = performance.now();
  const idle = setInterval(() => {
    // Connections whose last response ends after the close would stay open for another request.
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
