import { useIsHydrating } from "./use-is-hydrating.ts";

/**
 * Returns the origin of this server as the reader reaches it, for addresses in texts and code. While a prerendered page is
 * hydrated it is the public URL, with which the server has filled in the page: the reader may have come by another address.
 */
export function useOrigin(): string {
  return useIsHydrating() ? readServedOrigin() : globalThis.location.origin;
}

function readServedOrigin(): string {
  const served = document.querySelector('meta[name="public-url"]')?.getAttribute("content");
  return served ?? globalThis.location.origin;
}
