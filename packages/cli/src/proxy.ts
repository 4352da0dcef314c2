import type { Fetch } from "@feather/sdk";
import type { ProxySettings } from "./proxy-address.ts";

/** Creates a `fetch` that uses the proxies of the environment. It throws when a proxy asks for a name and a password. */
export async function createProxyFetch({ http, https, none }: ProxySettings): Promise<Fetch> {
  const { EnvHttpProxyAgent } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent({
    ...(http !== undefined && { httpProxy: http }),
    ...(https !== undefined && { httpsProxy: https }),
    noProxy: none.join(","),
  });
  return async (request, init) => {
    const response = await globalThis.fetch(request, { ...init, dispatcher } as RequestInit);
    if (response.status === 407) throw new Error("The proxy wants a name and a password: 407");
    return response;
  };
}
