import { findDangerousProtocol } from "#/lib/navigation/navigation.ts";

/** Blocks clicks on links that would run code, except downloads. Returns a function that removes the listeners. */
export function blockDangerousLinks(warn: (message: string) => void, root: Document = document): () => void {
  const check = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!link || link.hasAttribute("download")) return;
    const protocol = findDangerousProtocol(link.getAttribute("href") ?? "");
    if (protocol === null) return;
    event.preventDefault();
    event.stopPropagation();
    warn(`Cannot navigate to a URL with '${protocol}' protocol.`);
  };
  const eventTypes = ["click", "auxclick"] as const;
  for (const eventType of eventTypes) root.addEventListener(eventType, check, { capture: true });
  return () => {
    for (const eventType of eventTypes) root.removeEventListener(eventType, check, { capture: true });
  };
}
