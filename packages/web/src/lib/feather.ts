import { createFeather } from "@feather/sdk";

/** What the page hears when the server no longer knows who calls. */
export const UNKNOWN_CALLER = "feather-unknown-caller";

/** The platform this site belongs to, as the signed-in visitor. */
export const feather = createFeather({
  baseUrl: `${globalThis.location?.origin ?? "http://localhost"}/api`,
  credentials: "same-origin",
  fetch: async (request, init) => {
    const response = await globalThis.fetch(request, init);
    if (response.status === 401) globalThis.dispatchEvent?.(new Event(UNKNOWN_CALLER));
    return response;
  },
});
