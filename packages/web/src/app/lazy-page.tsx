import type { QueryClient } from "@tanstack/react-query";
import { type ComponentType, use } from "react";

/** What the module of a page exports: its component, and how to load the data it needs. */
export type PageModule = {
  default: ComponentType;
  /** Loads what the page cannot be rendered without, before it is shown. */
  prepare?(client: QueryClient, path: string): Promise<unknown>;
  /** Loads the data of the first view, if a visit starts on this page and the prerendered HTML lacks that data. */
  prefill?(client: QueryClient, location: PageLocation): Promise<unknown>;
};
type PageLocation = { pathname: string; search: string };

/** How long the prerendered HTML waits for `prefill` before it is replaced, in milliseconds. */
const PREFILL_TIMEOUT_MS = 1_500;

/** A page in its own chunk, loaded when it is opened or shortly before. */
export type LazyPage = {
  /** The component of the page; null until its chunk is loaded. */
  current(): ComponentType | null;
  fetch(): Promise<ComponentType>;
  /** Loads the chunk ahead of time; tries again after a failure. Never rejects: rendering the page throws the error. */
  preload(): Promise<void>;
  /** Loads the chunk and runs the page's `prepare`. Never rejects. */
  prepare(client: QueryClient, path: string): Promise<void>;
  /** Loads the chunk and runs the page's `prepare` and `prefill`. Never rejects. */
  prefill(client: QueryClient, location: PageLocation): Promise<void>;
};

/** Creates a page whose chunk is loaded once; after that it renders without suspending. */
export function createLazyPage(fetchModule: () => Promise<PageModule>): LazyPage {
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
    await module?.prepare?.(client, path).catch(() => undefined); // the page shows the error
  }

  async function prefill(client: QueryClient, location: PageLocation): Promise<void> {
    await preload();
    const timeout = new Promise((resolve) => setTimeout(resolve, PREFILL_TIMEOUT_MS));
    const prefilled = module?.prefill?.(client, location).catch(() => undefined);
    await Promise.all([prepare(client, location.pathname), prefilled && Promise.race([prefilled, timeout])]);
  }

  return {
    current: () => module?.default ?? null,
    fetch: () => fetchOnce().then((fetched) => fetched.default),
    preload,
    prepare,
    prefill,
  };
}

/** Renders a page; suspends until its chunk is loaded. */
export function PageBody({ page }: { page: LazyPage }) {
  const Component = page.current() ?? use(page.fetch());
  return <Component />;
}
