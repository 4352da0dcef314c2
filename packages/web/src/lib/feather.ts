import { createFeather } from "@feather/sdk";

/** The event dispatched on `globalThis` when a call fails with status 401. */
export const UNAUTHENTICATED_EVENT = "feather-unknown-caller";

/** The SDK client for this site's own server; it sends the visitor's session cookie. */
export const feather = createFeather({
  baseUrl: `${globalThis.location?.origin ?? "http://localhost"}/api`,
  credentials: "same-origin",
  fetch: async (request, init) => {
    const response = await globalThis.fetch(request, init);
    if (response.status === 401) globalThis.dispatchEvent?.(new Event(UNAUTHENTICATED_EVENT));
    return response;
  },
});
