import type { IncomingMessage } from "node:http";
import proxyAddress from "@fastify/proxy-addr";

/**
 * Returns a function that returns the caller's address: with trusted proxies, the one in `x-forwarded-for`. Fastify
 * determines it in the same way.
 */
export function createAddressReader(trustedProxies: readonly string[] | undefined) {
  const isTrusted = proxyAddress.compile([...(trustedProxies ?? [])]);
  return (request: IncomingMessage): string => proxyAddress(request, isTrusted);
}
