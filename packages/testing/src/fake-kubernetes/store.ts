import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

/** An object as the stand-in stores it. */
export type StoredObject = {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace: string;
    uid: string;
    resourceVersion: string;
    generation: number;
    creationTimestamp: string;
    deletionTimestamp?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the kinds differ, and the schemas check what is written
  [field: string]: any;
};
/** An object to store: what the store adds is missing. */
export type NewObject = Omit<StoredObject, "metadata"> & {
  metadata: Partial<StoredObject["metadata"]> & { name: string; namespace: string };
};
/** A change as watches report it. */
export type Change = { version: number; type: "ADDED" | "MODIFIED" | "DELETED"; plural: string; object: StoredObject };

/** Stores objects by kind, with a version for each change, as etcd does. */
export function createStore() {
  const objects = new Map<string, Map<string, StoredObject>>();
  const listeners = new Set<(change: Change) => void>();
  let history: Change[] = [];
  let version = 1;
  let oldest = 0;

  function record(type: Change["type"], plural: string, object: StoredObject): StoredObject {
    version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    const change = { version, type, plural, object: stored };
    history.push(change);
    for (const listener of [...listeners]) listener(change);
    return stored;
  }

  return {
    version: () => version,
    list: (plural: string): StoredObject[] => [...(objects.get(plural)?.values() ?? [])],
    get: (plural: string, name: string): StoredObject | undefined => objects.get(plural)?.get(name),

    /** Stores an object. Nothing happens if it is the same already. */
    put(plural: string, object: NewObject): StoredObject {
      const kind = objects.get(plural) ?? new Map<string, StoredObject>();
      objects.set(plural, kind);
      const existing = kind.get(object.metadata.name);
      const {
        uid = randomUUID(),
        creationTimestamp = new Date().toISOString(),
        generation = 1,
      } = existing?.metadata ?? {};
      const next = { resourceVersion: "", uid, creationTimestamp, generation };
      const candidate = { ...object, metadata: { ...object.metadata, ...next } } as StoredObject;
      if (existing && !isDeepStrictEqual(existing.spec, candidate.spec)) candidate.metadata.generation += 1;
      if (existing && isSame(existing, candidate)) return existing;
      const stored = record(existing ? "MODIFIED" : "ADDED", plural, candidate);
      kind.set(object.metadata.name, stored);
      return stored;
    },

    delete(plural: string, name: string): void {
      const existing = objects.get(plural)?.get(name);
      if (!existing) return;
      objects.get(plural)?.delete(name);
      record("DELETED", plural, existing);
    },

    /** The changes after a version; null if they are no longer known. */
    changesAfter: (from: number): Change[] | null =>
      from < oldest ? null : history.filter((one) => one.version > from),

    /** Forgets all changes so far, as a compaction does. */
    compact(): void {
      history = [];
      version += 1;
      oldest = version;
    },

    onChange(listener: (change: Change) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The objects of a cluster. */
export type Store = ReturnType<typeof createStore>;

function isSame(a: StoredObject, b: StoredObject): boolean {
  const comparable = ({ metadata: { resourceVersion: _, ...metadata }, ...object }: StoredObject) => ({
    ...object,
    metadata,
  });
  // By way of JSON, in which a field that is undefined is one that is missing.
  return isDeepStrictEqual(JSON.parse(JSON.stringify(comparable(a))), JSON.parse(JSON.stringify(comparable(b))));
}
