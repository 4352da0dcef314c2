import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { InterruptedError, SignInError, WaitTimeoutError } from "../errors.ts";
import { isSame } from "./client.ts";
import { type Closing, closingPage } from "./closing-page.ts";

/** The authorization code, and a function that shows the outcome in the browser. */
export type Returned = { readonly code: string; finish(closing: Closing): void };

const PATH = "/callback";
const PATIENCE = 5 * 60_000;
/** The page loads and runs nothing, and does not leak its URL, which contains the code. */
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  connection: "close",
};

/**
 * Listens on a local port for the redirect. Requests with another state or issuer get an error page, and listening
 * continues. `received` rejects with `SignInError`, `WaitTimeoutError` or `InterruptedError`.
 */
export async function listenForCallback(state: string, issuer: string, signal: AbortSignal, patience = PATIENCE) {
  const { promise, resolve, reject } = Promise.withResolvers<Returned>();
  promise.catch(() => {}); // avoids an unhandled rejection before somebody awaits it
  let redirectUri = "";
  let returned = false;
  let answering: Promise<void> = Promise.resolve();
  const show = (response: ServerResponse, status: number, closing: Closing): void => {
    answering = new Promise((sent) => response.writeHead(status, HEADERS).end(closingPage(closing), sent));
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const isOurs = request.headers.host === new URL(redirectUri).host; // protects against DNS rebinding
    if (!isOurs || request.method !== "GET" || url.pathname !== PATH) return show(response, 404, "unknown");
    const query = url.searchParams;
    if (returned || query.get("state") !== state) return show(response, 400, "unknown");
    if (!isSame(query.get("iss") ?? "", issuer)) return show(response, 400, "unknown");
    returned = true;
    const code = query.get("code");
    if (code !== null) return resolve({ code, finish: (closing) => show(response, 200, closing) });
    const refused = query.get("error") === "access_denied";
    show(response, 200, refused ? "refused" : "failed");
    reject(refused ? new SignInError("it was refused in the browser") : new Error(reasonOf(query)));
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(0, "127.0.0.1", listening);
  });
  redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;

  const timer = setTimeout(() => reject(new WaitTimeoutError("nobody signed in within 5 minutes")), patience);
  const onAbort = () => reject(new InterruptedError("the sign-in was left"));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    redirectUri,
    returned: promise,
    async close(): Promise<void> {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      await answering;
      server.close();
      server.closeAllConnections();
    },
  };
}

function reasonOf(query: URLSearchParams): string {
  return `the server did not sign you in: ${query.get("error_description") ?? query.get("error") ?? "it gave no code"}`;
}
