import type { QueryClient } from "@tanstack/react-query";
import { type ComponentType, use } from "react";

/** What the file of a page gives: the page, and what it cannot be drawn without and fetches from another file. */
export type PageModule = {
  default: ComponentType;
  prepare?(client: QueryClient, path: string): Promise<unknown>;
  /** Fetches what the page shows at first, where a visit begins on it and the server has drawn it without that. */
  prefill?(client: QueryClient, place: Place): Promise<unknown>;
};
type Place = { pathname: string; search: string };

/** The page that the server has drawn does not stand longer for an answer that is slow. */
const PREFILL_LIMIT = 1_500;

/** A page in a file of its own, fetched when it is opened or just before. */
export type Page = {
  /** Its component, when the file is here. */
  current(): ComponentType | null;
  fetch(): Promise<ComponentType>;
  /** Fetches it ahead; again after a failure. It never rejects: what failed is thrown when the page is drawn. */
  preload(): Promise<void>;
  /** The same, with what the page at this path is drawn with. */
  prepare(client: QueryClient, path: string): Promise<void>;
  /** The same, with what it shows at first. */
  prefill(client: QueryClient, place: Place): Promise<void>;
};

/** A page that is fetched once and drawn at once when it is here. */
export function load(fetchModule: () => Promise<PageModule>): Page {
  let module: PageModule | null = null;
  let pending: Promise<PageModule> | null = null;

  function fetchOnce(): Promise<PageModule> {
    pending ??= fetchModule().then((fetched) => {
      module = fetched;
      return fetched;
    });
    return pending;
  }

  async function preload(): Promise<void> {
    try {
      await fetchOnce();
    } catch {
      pending = null;
    }
  }

  async function prepare(client: QueryClient, path: string): Promise<void> {
    await preload();
    await module?.prepare?.(client, path).catch(() => undefined); // the page tells of it
  }

  async function prefill(client: QueryClient, place: Place): Promise<void> {
    await preload();
    const limit = new Promise((resolve) => setTimeout(resolve, PREFILL_LIMIT));
    const filled = module?.prefill?.(client, place).catch(() => undefined);
    await Promise.all([prepare(client, place.pathname), filled && Promise.race([filled, limit])]);
  }

  return {
    current: () => module?.default ?? null,
    fetch: () => fetchOnce().then((fetched) => fetched.default),
    preload,
    prepare,
    prefill,
  };
}

export function PageBody({ page }: { page: Page }) {
  const Component = page.current() ?? use(page.fetch());
  return <Component />;
}
