import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/** A part of a page in a file of its own. Without a network it waits for it, and what stands on the page stays. */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await patiently(load) }));
}

/** What `load` gives; where it fails without a network, what it gives once there is one again. */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (navigator.onLine) throw error;
      await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
    }
  }
}
