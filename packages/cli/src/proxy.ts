import type { Proxies } from "./proxy-address.ts";

/** Creates a `fetch` that uses the proxies of the environment. */
export async function proxiedFetch({
  http,
  https,
  none,
}: Proxies): Promise<(request: Request, init?: { signal?: AbortSignal }) => Promise<Response>> {
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent({
    ...(http !== undefined && { httpProxy: http }),
    ...(https !== undefined && { httpsProxy: https }),
    noProxy: none.join(","),
  });
  return async (request, init) => {
    const answer = await fetch(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? null : await request.arrayBuffer(),
      signal: init?.signal ?? request.signal,
      dispatcher,
    });
    if (answer.status === 407) throw new Error("The proxy wants a name and a password: 407");
    const empty = answer.status === 204 || answer.status === 304;
    return new Response(empty ? null : streamOf(answer.body), {
      status: answer.status,
      statusText: answer.statusText,
      headers: Object.fromEntries(answer.headers),
    });
  };
}

/** Converts undici's body to a stream of Node's own class. */
function streamOf(body: AsyncIterable<Uint8Array> | null): ReadableStream<Uint8Array<ArrayBuffer>> | null {
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
