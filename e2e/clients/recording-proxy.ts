import { type HttpServer, startHttpServer } from "@feather/testing/http-server";

/** Headers that belong to one connection, or to a body in the form that it was sent in. */
const NOT_PASSED_ON = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "transfer-encoding",
]);

/** Starts a server that records requests and passes them on to another, with responses that are complete. */
export function startRecordingProxy(target: string): Promise<HttpServer> {
  return startHttpServer(async ({ method, url, headers, body }, response) => {
    const answer = await fetch(target + url, {
      method,
      headers: passedOn(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      ...(body !== "" && { body }),
    });
    response.writeHead(answer.status, passedOn([...answer.headers])).end(await answer.text());
  });
}

const passedOn = (headers: readonly (readonly [name: string, value: string])[]): Record<string, string> =>
  Object.fromEntries(headers.filter(([name]) => !NOT_PASSED_ON.has(name.toLowerCase())));
