import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Platform } from "../modules.ts";

const IDLE_CHECK_MS = 100;
/** How long a connection is kept for another request after its answer has promised that before the stop. */
const KEPT_MS = 1_000;
const SETTLE_CHECK_MS = 10;
/** Streams that never end by themselves, such as live usage, are closed when no call has run for this long. */
const IDLE_CLOSE_MS = 5_000;
/** Time for the final error messages to reach the callers. */
const FINAL_MESSAGES_MS = 1_000;

/**
 * Stops the server gracefully: reports not ready, keeps accepting requests during the shutdown delay so that load
 * balancers can switch, closes the listener, and lets running calls finish. Each answer from now on ends its connection; a
 * request that was sent over one before its caller knew is answered. Calls that exceed the drain timeout, or
 * still run once `forced` aborts, are aborted with an error for their callers. Resolves when all usage rows are
 * written.
 */
export async function drain(
  server: FastifyInstance,
  platform: Pick<Platform, "lifecycle" | "settings" | "api" | "forwarding">,
  forced: AbortSignal,
): Promise<void> {
  const { lifecycle, settings, api, forwarding } = platform;
  const { running, usageWriter } = api.gateway;
  lifecycle.draining = true;
  server.server.keepAliveTimeout = KEPT_MS;
  // Closing the listener closes unused connections, so those that are in use get an answer that ends them before.
  const delayMs = Math.max(settings.server.shutdownDelaySeconds * 1000, (await hasConnections(server)) ? KEPT_MS : 0);
  await sleep(delayMs, undefined, { signal: forced }).catch(() => {});
  const closed = server.close();
  let idleSince = performance.now();
  const idleCheck = setInterval(() => {
    if (running.count() + forwarding.count() > 0) idleSince = performance.now();
    else if (performance.now() - idleSince > IDLE_CLOSE_MS) server.server.closeAllConnections();
  }, IDLE_CHECK_MS);
  const abortCalls = () => {
    running.abortAll();
    setTimeout(() => server.server.closeAllConnections(), FINAL_MESSAGES_MS).unref();
  };
  const drainTimer = setTimeout(abortCalls, settings.server.drainTimeoutSeconds * 1000);
  forced.addEventListener("abort", abortCalls, { once: true });
  if (forced.aborted) abortCalls();
  await closed;
  clearInterval(idleCheck);
  clearTimeout(drainTimer);
  while (running.count() > 0) await sleep(SETTLE_CHECK_MS); // calls whose connection was closed still add their rows
  await usageWriter.close(forced);
  await Promise.all([api.usage.refusals.flush(), api.audit.denialLog.settled()]);
}

function hasConnections({ server }: FastifyInstance): Promise<boolean> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error === null && count > 0)));
}
