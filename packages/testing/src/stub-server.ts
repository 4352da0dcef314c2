import type { IncomingHttpHeaders } from "node:http";
import { startHttpServer } from "./http-server.ts";
import { createStub, type StubRequest, type StubRoutes } from "./stub.ts";

/** A running stub of the platform's API. */
export type StubServer = { baseUrl: string; requests: StubRequest[]; close(): Promise<void> };

/** Starts a server that responds as `createStub` does. A response whose body fails ends the connection. */
export async function startStubServer(routes: StubRoutes): Promise<StubServer> {
  const stub = createStub(routes);
  const server = await startHttpServer(async ({ method, url, headers, body }, outgoing) => {
    const request = new Request(`http://stub.test${url}`, {
      method,
      headers: toHeaders(headers),
      ...(body !== "" && { body }),
    });
    const response = await stub.respond(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const part of response.body ?? [])
      await new Promise<void>((resolve, reject) =>
        outgoing.write(part, (error) => (error ? reject(error) : resolve())),
      );
    outgoing.end();
  });
  return { baseUrl: server.url, requests: stub.requests, close: server.close };
}

function toHeaders(headers: IncomingHttpHeaders): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const each of [value ?? []].flat()) result.append(name, each);
  return result;
}
