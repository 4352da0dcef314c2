const EVENT = "cookiesettings";

/** Opens the dialog from anywhere, such as the foot of a page, where small screens have no floating button. */
export const openCookieSettings = (): void => void window.dispatchEvent(new Event(EVENT));

/** Hears of it; what comes back stops that. */
export function onCookieSettings(open: () => void): () => void {
  window.addEventListener(EVENT, open);
  return () => window.removeEventListener(EVENT, open);
}
