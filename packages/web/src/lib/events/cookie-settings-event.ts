const COOKIE_SETTINGS_EVENT = "cookiesettings";

/** Opens the cookie dialog from anywhere, such as the page footer. */
export const openCookieSettings = (): void => void window.dispatchEvent(new Event(COOKIE_SETTINGS_EVENT));

/** Subscribes to `openCookieSettings`. Returns a function that unsubscribes. */
export function subscribeToCookieSettings(onOpen: () => void): () => void {
  window.addEventListener(COOKIE_SETTINGS_EVENT, onOpen);
  return () => window.removeEventListener(COOKIE_SETTINGS_EVENT, onOpen);
}
