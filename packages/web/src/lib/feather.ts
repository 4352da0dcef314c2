import { createFeather } from "@feather/sdk";
import { i18n } from "#/i18n/runtime.ts";

/** The event dispatched on `globalThis` when a call fails with status 401. */
export const UNAUTHENTICATED_EVENT = "feather-unknown-caller";

/** The event dispatched on `globalThis` when a write is about to be sent again after a failure. */
export const RETRY_EVENT = "feather-retry";

/**
 * The longest wait in milliseconds that the server may ask for before a call is repeated. A longer one is reported as
 * an error at once.
 */
const MAX_SILENT_WAIT_MS = 5_000;

/** The SDK client for this site's own server; it sends the visitor's session cookie. */
export const feather = createFeather({
  baseUrl: `${globalThis.location?.origin ?? "http://localhost"}/api`,
  credentials: "same-origin",
  maxRetryAfter: MAX_SILENT_WAIT_MS,
  // Retries are what the SDK logs as `info`.
  logger: {
    info: (_message, { method }) => {
      if (method !== "GET") globalThis.dispatchEvent?.(new Event(RETRY_EVENT));
    },
  },
  logLevel: "info",
  fetch: async (request, init) => {
    request.headers.set("accept-language", i18n.locale);
    const response = await globalThis.fetch(request, init);
    if (response.status === 401) globalThis.dispatchEvent?.(new Event(UNAUTHENTICATED_EVENT));
    return response;
  },
});
