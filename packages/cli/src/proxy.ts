import type { ProxySettings } from "./proxy-address.ts";

/** Creates a `fetch` that uses the proxies of the environment. */
export async function createProxyFetch({
  http,
  https,
  none,
}: ProxySettings): Promise<(request: Request, init?: { signal?: AbortSignal }) => Promise<Response>> {
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent({
    ...(http !== undefined && { httpProxy: http }),
    ...(https !== undefined && { httpsProxy: https }),
    noProxy: none.join(","),
  });
  return async (request, init) => {
    const response = await fetch(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? null : await request.arrayBuffer(),
      signal: init?.signal ?? request.signal,
      dispatcher,
    });
    if (response.status === 407) throw new Error("The proxy wants a name and a password: 407");
    const empty = response.status === 204 || response.status === 304;
    return new Response(empty ? null : toWebStream(response.body), {
      status: response.status,
      statusText: response.statusText,
      headers: Object.fromEntries(response.headers),
    });
  };
}

/** Converts undici's body to a stream of Node's own class. */
function toWebStream(body: AsyncIterable<Uint8Array> | null): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  if (body === null) return null;
  const parts = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    async cancel() {
      await parts.return?.();
    },
  });
}
