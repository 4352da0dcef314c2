const EVENT = "cookiesettings";

/** Opens the cookie dialog from anywhere, such as the page footer. */
export const openCookieSettings = (): void => void window.dispatchEvent(new Event(EVENT));

/** Subscribes to `openCookieSettings`. Returns a function that unsubscribes. */
export function onCookieSettings(open: () => void): () => void {
  window.addEventListener(EVENT, open);
  return () => window.removeEventListener(EVENT, open);
}
