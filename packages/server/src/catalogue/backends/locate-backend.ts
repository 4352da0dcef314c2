import { lookup } from "node:dns/promises";
import type { Locate } from "../../gateway/index.ts";
import { isIpAddress, isLoopbackHost, isPublicAddress } from "../../platform/core/network/networks.ts";
import { findProviderAt } from "../providers/index.ts";

/** Resolves all addresses of a host name. */
type Resolve = (hostname: string) => Promise<readonly string[]>;

const resolveWithSystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * Creates the function that returns where a backend answers. A known provider and every public address are elsewhere; a name
 * is here only if it resolves to private addresses alone, so that a name that cannot be resolved is elsewhere.
 */
export function createLocate(resolve: Resolve = resolveWithSystem): Locate {
  return async (baseUrl) => {
    if (findProviderAt(baseUrl) !== null) return "elsewhere";
    const { hostname } = new URL(baseUrl);
    if (isLoopbackHost(hostname)) return "here";
    const addresses = isIpAddress(hostname) ? [hostname] : await resolve(hostname).catch(() => []);
    return addresses.length > 0 && !addresses.some(isPublicAddress) ? "here" : "elsewhere";
  };
}
