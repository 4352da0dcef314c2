import { type ComponentType, use } from "react";

/** A page in a file of its own, fetched when it is opened or just before. */
export type Page = {
  /** Its component, when the file is here. */
  current(): ComponentType | null;
  fetch(): Promise<ComponentType>;
  /** Fetches it ahead; again after a failure. It never rejects: what failed is thrown when the page is drawn. */
  preload(): Promise<void>;
};

/** A page that is fetched once and drawn at once when it is here. */
export function load(fetchModule: () => Promise<{ default: ComponentType }>): Page {
  let component: ComponentType | null = null;
  let pending: Promise<ComponentType> | null = null;

  function fetch(): Promise<ComponentType> {
    pending ??= fetchModule().then((module) => {
      component = module.default;
      return component;
    });
    return pending;
  }

  async function preload(): Promise<void> {
    try {
      await fetch();
    } catch {
      pending = null;
    }
  }

  return { current: () => component, fetch, preload };
}

export function PageBody({ page }: { page: Page }) {
  const Component = page.current() ?? use(page.fetch());
  return <Component />;
}
