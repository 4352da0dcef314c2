import { checkPayloadUrl } from "#/lib/navigation/navigation.ts";

const MAX_PARALLEL_PRELOADS = 4;

type Link = { getAttribute(name: string): string | null };

/** Returns the path of a link if it is a page of this site that can be preloaded; null otherwise. */
export function toPreloadPath(link: Link | null, origin: string): string | null {
  const href = link?.getAttribute("href");
  if (!href || link?.getAttribute("target") === "_blank" || link?.getAttribute("download") !== null) return null;
  try {
    return new URL(checkPayloadUrl(href), origin).pathname;
  } catch {
    return null;
  }
}

/** Returns a function that preloads the page at a path: each path once, a few at a time, the others queued. */
export function createPreloader(
  loadPage: (path: string) => Promise<unknown> | null,
  maxParallel = MAX_PARALLEL_PRELOADS,
) {
  const requested = new Set<string>();
  const waiting: string[] = [];
  let running = 0;

  function next(): void {
    while (running < maxParallel) {
      const path = waiting.shift();
      if (path === undefined) return;
      const work = loadPage(path);
      if (work === null) continue;
      running += 1;
      const end = () => {
        running -= 1;
        next();
      };
      // A failure is shown when the page is opened.
      work.then(end, end);
    }
  }

  return (path: string): void => {
    if (requested.has(path)) return;
    requested.add(path);
    waiting.push(path);
    next();
  };
}

const INTENTS = ["pointerover", "focusin", "touchstart"] as const;

/**
 * Preloads the page of a link when it is hovered, touched or focused. Returns a function that removes the listeners.
 */
export function preloadOnIntent(preload: (path: string) => void, root: Document = document): () => void {
  const preloadTarget = ({ target }: Event): void => {
    if (!(target instanceof Element)) return;
    const path = toPreloadPath(target.closest("a"), root.location.origin);
    if (path !== null) preload(path);
  };
  for (const intent of INTENTS) root.addEventListener(intent, preloadTarget, { passive: true });
  return () => {
    for (const intent of INTENTS) root.removeEventListener(intent, preloadTarget);
  };
}
