import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";

/**
 * Logs once that a request has X-Forwarded-For although no proxy is trusted. Rate limits by address then count the proxy,
 * so that all its clients share them.
 */
export function warnOfUntrustedProxy(
  app: FastifyInstance,
  trustedProxies: readonly string[] | undefined,
  log: Pick<Logger, "warn">,
): void {
  if (trustedProxies !== undefined) return;
  let warned = false;
  app.addHook("onRequest", async (request) => {
    if (warned || request.headers["x-forwarded-for"] === undefined) return;
    warned = true;
    log.warn(
      { peer: request.ip },
      "requests carry X-Forwarded-For, but FEATHER_TRUSTED_PROXIES is not set: limits by address see the proxy and not " +
        "the caller; set it to the proxy's address",
    );
  });
}
