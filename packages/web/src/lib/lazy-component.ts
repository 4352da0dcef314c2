import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/**
 * Returns a component that is loaded from its own chunk. While offline it stays suspended until the network is back.
 */
export function lazyComponent<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await retryWhenOnline(load) }));
}

/** Returns the result of `load`. If it fails while the browser is offline, tries again when it is back online. */
export async function retryWhenOnline<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (navigator.onLine) throw error;
      await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
    }
  }
}
