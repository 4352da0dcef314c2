import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

/** The metadata of a stored object. */
export type Metadata = {
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
/** The fields of a container that the stand-in reads. */
export type Container = {
  name: string;
  image: string;
  imagePullPolicy?: string;
  args?: string[];
  env?: { name?: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[];
  resources?: { limits?: Record<string, string> };
};
/** The desired state of a pod. */
export type PodSpec = { containers: [Container, ...Container[]]; initContainers?: Container[] };
/** The state of a pod. */
export type PodStatus = {
  phase: string;
  isReady?: boolean;
  hasRestarted?: boolean;
  podIP?: string;
  port?: number;
  [field: string]: unknown;
};

type Common = { apiVersion: string; kind: string; metadata: Metadata };
/** A stored Deployment. */
export type DeploymentObject = Common & {
  spec: {
    replicas?: number;
    selector: { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
  };
  status?: { readyReplicas?: number; conditions?: object[] };
};
/** Metadata and content of pods to make. */
export type PodTemplate = {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  spec: PodSpec;
};
/** A stored LeaderWorkerSet. */
export type LeaderWorkerSetObject = Common & {
  spec: {
    replicas: number;
    leaderWorkerTemplate: { size: number; leaderTemplate: PodTemplate; workerTemplate: PodTemplate };
  };
  status?: { replicas?: number; readyReplicas?: number };
};
/** A stored pod. */
export type PodObject = Common & { spec: PodSpec; status: PodStatus };
/** A stored Service. */
export type ServiceObject = Common & { spec: { selector: Record<string, string> } };
/** A stored EndpointSlice. */
export type SliceObject = Common & {
  addressType: string;
  ports: { name: string; port: number | undefined; protocol: string }[];
  endpoints: [
    { addresses: (string | undefined)[]; conditions: object; targetRef: { kind: string; name: string; uid: string } },
  ];
};
/** A stored Secret. */
export type SecretObject = Common & { data?: Record<string, string> };

/** The type of the objects of each resource. */
type Resources = {
  deployments: DeploymentObject;
  leaderworkersets: LeaderWorkerSetObject;
  pods: PodObject;
  services: ServiceObject;
  endpointslices: SliceObject;
  secrets: SecretObject;
};
/** A resource, such as `pods`. */
export type Plural = keyof Resources | "events" | "poddisruptionbudgets" | "networkpolicies";
/** An object of a resource. */
export type StoredObject<P extends Plural = Plural> = P extends keyof Resources
  ? Resources[P]
  : Common & { spec?: object };
/** An object to store: what the store adds is missing. */
export type NewObject<P extends Plural> = Omit<StoredObject<P>, "metadata"> & {
  metadata: Partial<Metadata> & Pick<Metadata, "name" | "namespace">;
};
/** A change as watches report it. */
export type Change = { version: number; type: "ADDED" | "MODIFIED" | "DELETED"; plural: Plural; object: StoredObject };

/** Stores objects by kind, with a version for each change, as etcd does. */
export function createStore() {
  const objects = new Map<Plural, Map<string, StoredObject>>();
  const listeners = new Set<(change: Change) => void>();
  let history: Change[] = [];
  let version = 1;
  let oldest = 0;

  function record(type: Change["type"], plural: Plural, object: StoredObject): StoredObject {
    version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    const change = { version, type, plural, object: stored };
    history.push(change);
    for (const listener of [...listeners]) listener(change);
    return stored;
  }

  return {
    version: () => version,
    list: <P extends Plural>(plural: P) => [...(objects.get(plural)?.values() ?? [])] as StoredObject<P>[],
    get: <P extends Plural>(plural: P, name: string) => objects.get(plural)?.get(name) as StoredObject<P> | undefined,

    /** Stores an object. Nothing happens if it is the same already. */
    put<P extends Plural>(plural: P, object: NewObject<P>): StoredObject<P> {
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
      if (existing && !isDeepStrictEqual(specOf(existing), specOf(candidate))) candidate.metadata.generation += 1;
      if (existing && isSame(existing, candidate)) return existing as StoredObject<P>;
      const stored = record(existing ? "MODIFIED" : "ADDED", plural, candidate);
      kind.set(object.metadata.name, stored);
      return stored as StoredObject<P>;
    },

    delete(plural: Plural, name: string): void {
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

function specOf(object: StoredObject): unknown {
  return "spec" in object ? object.spec : undefined;
}

function isSame(a: StoredObject, b: StoredObject): boolean {
  const comparable = ({ metadata: { resourceVersion: _, ...metadata }, ...object }: StoredObject) => ({
    ...object,
    metadata,
  });
  // By way of JSON, in which a field that is undefined is one that is missing.
  return isDeepStrictEqual(JSON.parse(JSON.stringify(comparable(a))), JSON.parse(JSON.stringify(comparable(b))));
}
