/** The proxies of the environment; `none` lists the hosts without one. */
export type ProxySettings = {
  readonly http: string | undefined;
  readonly https: string | undefined;
  readonly none: readonly string[];
};

/** Returns the proxy of a request, without its password; undefined for a direct connection. */
export function findProxy({ protocol, hostname, port }: URL, { http, https, none }: ProxySettings): string | undefined {
  const proxy = protocol === "https:" ? https : http;
  if (proxy === undefined) return undefined;
  const host = hostname.toLowerCase();
  const isExempt = none.some((entry) => {
    const [, name = "", only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const fits = entry === "*" || host === name || host.endsWith(`.${name}`);
    return fits && (only === undefined || only === (port || (protocol === "https:" ? "443" : "80")));
  });
  if (isExempt) return undefined;
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  return url === undefined ? proxy : `${url.protocol}//${url.host}`;
}
