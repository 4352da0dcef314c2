import { LRUCache } from "lru-cache";
import { type AnnouncedTable, subscribeToChanges } from "./changes.ts";
import type { Replicas } from "./replicas.ts";

/** How long a value is used while this process does not receive announcements of changes, in milliseconds. */
const MAX_UNANNOUNCED_AGE_MS = 5_000;

/** The limits of a cache, and the tables that it depends on. */
export type CacheOptions = {
  /** Maximum number of values; the least recently used are evicted. */
  max: number;
  /** How long a value is used, in milliseconds. */
  ttlMs: number;
  /** The tables from which values are read. A change of one of them in any process clears the cache. */
  tables: readonly AnnouncedTable[];
};

/** Values read from the database, by key. */
export type Cache<V> = {
  /** Returns the cached value; undefined if there is none or it has expired. */
  find(key: string): V | undefined;
  /**
   * Returns the cached value, or the result of `load`, which concurrent readers share. The result is cached unless it is
   * undefined or was invalidated while it was loading.
   */
  read(key: string, load: () => Promise<V>): V | Promise<V>;
  /** Removes the value of a key from this process, so that the next read loads it. */
  delete(key: string): void;
  /** Removes all values from this process. */
  clear(): void;
};

/**
 * Creates a cache of values from the database. It is cleared when any process announces a change of its tables. While
 * announcements may be lost, values are used for at most five seconds. `now` returns milliseconds.
 */
export function createCache<V>(
  { bus }: Pick<Replicas, "bus">,
  { max, ttlMs, tables }: CacheOptions,
  now: () => number = () => performance.now(),
): Cache<V> {
  const entries = new LRUCache<string, { value: V; readAt: number }>({ max });
  const pending = new Map<string, Promise<V>>();
  let invalidations = 0;

  function find(key: string): V | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    const maxAgeMs = bus.isConnected() ? ttlMs : Math.min(ttlMs, MAX_UNANNOUNCED_AGE_MS);
    return Math.abs(now() - entry.readAt) < maxAgeMs ? entry.value : undefined;
  }

  async function loadAndKeep(key: string, load: () => Promise<V>): Promise<V> {
    const invalidationsBefore = invalidations;
    const readAt = now();
    const value = await load();
    if (value !== undefined && invalidationsBefore === invalidations) entries.set(key, { value, readAt });
    return value;
  }

  function loadOnce(key: string, load: () => Promise<V>): Promise<V> {
    const running = pending.get(key);
    if (running !== undefined) return running;
    const loading = loadAndKeep(key, load).finally(() => {
      if (pending.get(key) === loading) pending.delete(key);
    });
    pending.set(key, loading);
    return loading;
  }

  function clear(): void {
    invalidations += 1;
    entries.clear();
    pending.clear(); // later readers must not share a load that started before the invalidation
  }

  subscribeToChanges(bus, tables, clear);
  return {
    find,
    read(key, load) {
      const value = find(key);
      return value === undefined ? loadOnce(key, load) : value;
    },
    delete(key) {
      invalidations += 1;
      entries.delete(key);
      pending.delete(key);
    },
    clear,
  };
}
