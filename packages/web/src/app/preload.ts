import { checkPayloadUrl } from "#/lib/navigation.ts";

const PRELOADS_IN_PARALLEL = 4;

type Link = { getAttribute(name: string): string | null };

/** Returns the path of a link if it is a page of this site that can be preloaded; null otherwise. */
export function pathToPreload(link: Link | null, origin: string): string | null {
  const href = link?.getAttribute("href");
  if (!href || link?.getAttribute("target") === "_blank" || link?.getAttribute("download") !== null) return null;
  try {
    return new URL(checkPayloadUrl(href), origin).pathname;
  } catch {
    return null;
  }
}

/** Returns a function that preloads the page at a path: each path once, a few at a time, the others queued. */
export function createPreloader(loadPage: (path: string) => Promise<void> | null, most = PRELOADS_IN_PARALLEL) {
  const seen = new Set<string>();
  const waiting: string[] = [];
  let running = 0;

  function next(): void {
    while (running < most) {
      const path = waiting.shift();
      if (path === undefined) return;
      const work = loadPage(path);
      if (work === null) continue;
      running += 1;
      void work.finally(() => {
        running -= 1;
        next();
      });
    }
  }

  return (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    waiting.push(path);
    next();
  };
}

const INTENTS = ["pointerover", "focusin", "touchstart"] as const;

/**
 * Preloads the page of a link when it is hovered, touched or focused. Returns a function that removes the listeners.
 */
export function preloadOnIntent(preload: (path: string) => void, root: Document = document): () => void {
  const notice = ({ target }: Event): void => {
    if (!(target instanceof Element)) return;
    const path = pathToPreload(target.closest("a"), root.location.origin);
    if (path !== null) preload(path);
  };
  for (const intent of INTENTS) root.addEventListener(intent, notice, { passive: true });
  return () => {
    for (const intent of INTENTS) root.removeEventListener(intent, notice);
  };
}
