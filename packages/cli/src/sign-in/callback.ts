import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { InterruptedError, SignInError, WaitTimeoutError } from "../errors.ts";
import { isSameAddress } from "./client.ts";
import { renderOutcomePage, type SignInOutcome } from "./outcome-page.ts";

/** The authorization code, and a function that shows the outcome in the browser. */
export type CallbackResult = { readonly code: string; finish(outcome: SignInOutcome): void };

const CALLBACK_PATH = "/callback";
const TIMEOUT_MS = 5 * 60_000;
/** The page loads and runs nothing, and does not leak its URL, which contains the code. */
const PAGE_HEADERS = {
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
export async function listenForCallback(state: string, issuer: string, signal: AbortSignal, timeoutMs = TIMEOUT_MS) {
  const { promise, resolve, reject } = Promise.withResolvers<CallbackResult>();
  promise.catch(() => {}); // avoids an unhandled rejection before the caller awaits it
  let redirectUri = "";
  let received = false;
  let pendingPage: Promise<void> = Promise.resolve();
  const sendPage = (response: ServerResponse, status: number, outcome: SignInOutcome): void => {
    pendingPage = new Promise((sent) => response.writeHead(status, PAGE_HEADERS).end(renderOutcomePage(outcome), sent));
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const isOurs = request.headers.host === new URL(redirectUri).host; // protects against DNS rebinding
    if (!isOurs || request.method !== "GET" || url.pathname !== CALLBACK_PATH)
      return sendPage(response, 404, "unknown");
    const query = url.searchParams;
    if (received || query.get("state") !== state) return sendPage(response, 400, "unknown");
    if (!isSameAddress(query.get("iss") ?? "", issuer)) return sendPage(response, 400, "unknown");
    received = true;
    const code = query.get("code");
    if (code !== null) return resolve({ code, finish: (outcome) => sendPage(response, 200, outcome) });
    const refused = query.get("error") === "access_denied";
    sendPage(response, 200, refused ? "refused" : "failed");
    reject(refused ? new SignInError("it was refused in the browser") : new Error(formatReason(query)));
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(0, "127.0.0.1", listening);
  });
  redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK_PATH}`;

  const timer = setTimeout(() => reject(new WaitTimeoutError("nobody signed in within 5 minutes")), timeoutMs);
  const onAbort = () => reject(new InterruptedError("the sign-in was left"));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    redirectUri,
    received: promise,
    async close(): Promise<void> {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      await pendingPage;
      server.close();
      server.closeAllConnections();
    },
  };
}

function formatReason(query: URLSearchParams): string {
  return `the server did not sign you in: ${query.get("error_description") ?? query.get("error") ?? "it gave no code"}`;
}
