import type { IncomingMessage } from "node:http";
import proxyAddress from "@fastify/proxy-addr";

/**
 * Returns a function that returns the address of who made a request: behind the given proxies, which are trusted, the
 * one in `x-forwarded-for`. Fastify finds it in the same way.
 */
export function createAddressReader(trustedProxies: readonly string[] | undefined) {
  const isTrusted = proxyAddress.compile([...(trustedProxies ?? [])]);
  return (request: IncomingMessage): string => proxyAddress(request, isTrusted);
}
