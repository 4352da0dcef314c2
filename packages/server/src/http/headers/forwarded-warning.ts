import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";

/**
 * Creates the check that logs once that a request has X-Forwarded-For although no proxy is trusted. Rate limits by address
 * then count the proxy, so that all its clients share them.
 */
export function createProxyWarning(
  trustedProxies: readonly string[] | undefined,
  log: Pick<Logger, "warn">,
): (request: Pick<IncomingMessage, "headers" | "socket">) => void {
  let warned = trustedProxies !== undefined;
  return ({ headers, socket }) => {
    if (warned || headers["x-forwarded-for"] === undefined) return;
    warned = true;
    log.warn(
      { peer: socket.remoteAddress },
      "requests carry X-Forwarded-For, but FEATHER_TRUSTED_PROXIES is not set: limits by address see the proxy and not " +
        "the caller; set it to the proxy's address",
    );
  };
}
