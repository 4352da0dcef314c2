import { checkNavigation } from "./navigation.ts";

/** Navigates to a URL outside the site that the server named. Throws if its protocol can run code. */
export function navigateToExternalUrl(url: string): void {
  globalThis.location.assign(checkNavigation(url, { external: true }));
}
