import type { Fetch } from "@feather/sdk";
import type { Environment } from "./config/environment.ts";

/** Creates the `fetch` that every request of the program goes through: it uses the proxies of the environment. */
export async function createBaseFetch({ usesProxy, proxies }: Environment): Promise<Fetch> {
  if (usesProxy) return (await import("./network/proxy.ts")).createProxyFetch(proxies);
  return (request, init) => globalThis.fetch(request, init);
}
