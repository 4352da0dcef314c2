import { Server } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Modules } from "../modules.ts";

const IDLE_CHECK_MS = 100;
/**
 * How long a connection is kept open for a request that was sent before the listener was closed, or before an answer that
 * began before the stop.
 */
const KEPT_MS = 1_000;
/** A turn of the event loop that takes less time has accepted no connection. */
const EMPTY_TURN_MS = 0.1;
/** The number of turns of the event loop after which the listener is closed, even if none of them was empty. */
const MAX_TURNS = 1_000;
const SETTLE_CHECK_MS = 10;
/** Streams that do not end on their own, such as live usage, are closed when no call has been running for this long. */
const IDLE_CLOSE_MS = 5_000;
/** The time for the last error messages to reach the callers. */
const FINAL_MESSAGES_MS = 1_000;

/**
 * Stops the server gracefully: reports not ready, accepts requests during the shutdown delay so that load balancers can
 * switch, closes the listener, and lets running calls finish. Each answer then closes its connection; a request that was
 * sent on it before its caller knew is answered. Calls that exceed the drain timeout, or are still running when `forced`
 * aborts, are aborted with an error for their callers. Resolves when all usage rows are written.
 */
export async function drain(
  server: FastifyInstance,
  platform: Pick<Modules, "lifecycle" | "settings" | "api" | "forwarding">,
  forced: AbortSignal,
): Promise<void> {
  const { lifecycle, settings, api, forwarding } = platform;
  const { running, usageWriter } = api.gateway;
  lifecycle.draining = true;
  server.server.keepAliveTimeout = KEPT_MS;
  await sleep(settings.server.shutdownDelaySeconds * 1000, undefined, { signal: forced }).catch(() => {});
  await closeListener(server);
  await lastRequests(server, forced);
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
  // Resumable calls need no connection, and calls whose connection was closed still add their rows.
  while (running.count() > 0) await sleep(SETTLE_CHECK_MS);
  clearTimeout(drainTimer);
  await usageWriter.close(forced);
  await Promise.all([api.usage.refusals.flush(), api.audit.denialLog.settled()]);
}

/**
 * Closes the listener, but no connection. Waits for a turn of the event loop in which nothing happened, because closing
 * resets the connections that wait to be accepted, with requests that their callers have sent already.
 */
async function closeListener({ server }: FastifyInstance): Promise<void> {
  let tookMs = Number.POSITIVE_INFINITY;
  for (let turn = 0; tookMs > EMPTY_TURN_MS && turn < MAX_TURNS; turn++) {
    const startedAt = performance.now();
    await setImmediate();
    tookMs = performance.now() - startedAt;
  }
  // The method of the HTTP server would also close connections whose first request is arriving.
  Server.prototype.close.call(server);
}

/** Resolves when no connection is left, or when requests that were sent before have had time to arrive. */
async function lastRequests(server: FastifyInstance, forced: AbortSignal): Promise<void> {
  const until = performance.now() + KEPT_MS;
  while (!forced.aborted && performance.now() < until && (await hasConnections(server))) await sleep(SETTLE_CHECK_MS);
}

function hasConnections({ server }: FastifyInstance): Promise<boolean> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error === null && count > 0)));
}
