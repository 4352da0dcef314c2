import type { Fetch } from "@feather/sdk";
import { ProxyConnectionError } from "./network-errors.ts";
import { findProxy, type ProxySettings } from "./proxy-address.ts";

/**
 * Creates a `fetch` that uses the proxies of the environment. It throws `ProxyConnectionError` when a request that goes
 * through a proxy fails, and an error with 407 when the proxy asks for a name and a password.
 */
export async function createProxyFetch(proxies: ProxySettings): Promise<Fetch> {
  const { http, https, none } = proxies;
  const { EnvHttpProxyAgent } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent({
    ...(http !== undefined && { httpProxy: http }),
    ...(https !== undefined && { httpsProxy: https }),
    noProxy: none.join(","),
  });
  return async (request, init) => {
    const response = await fetchBy(request, { ...init, dispatcher } as RequestInit, proxies);
    if (response.status === 407) throw new Error("The proxy wants a name and a password: 407");
    return response;
  };
}

async function fetchBy(request: Request, init: RequestInit, proxies: ProxySettings): Promise<Response> {
  try {
    return await globalThis.fetch(request, init);
  } catch (error) {
    const proxy = findProxy(new URL(request.url), proxies);
    if (proxy === undefined || init.signal?.aborted || request.signal.aborted) throw error;
    throw new ProxyConnectionError(proxy, error);
  }
}
