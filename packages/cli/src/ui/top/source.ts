import type { Backend, Concurrency, Deployment, Model, ModelHost, Receipt, StorePull } from "@feather/sdk";

/** Models of the catalogue, those that are being loaded first, and how many there are in all. */
export type ModelsPage = { readonly items: readonly Model[]; readonly total: number };
/** The last finished requests, and how many calls were refused in the last hour because all units were in use. */
export type RecentRequests = { readonly receipts: readonly Receipt[]; readonly refused: number };

/** The collections that are loaded repeatedly, by name. The model host, backends and downloads are for admins only. */
export type TopCollections = {
  readonly models: ModelsPage;
  readonly deployments: readonly Deployment[];
  readonly recent: RecentRequests;
  readonly modelHost: ModelHost;
  readonly backends: readonly Backend[];
  readonly downloads: readonly StorePull[];
};
/** The name of a collection. */
export type CollectionName = keyof TopCollections;

/** The calls that `feather top` makes. */
export type TopSource = {
  /** Streams the units in use every two seconds, until the signal aborts. */
  streamUsage(signal: AbortSignal): AsyncIterable<Concurrency>;
  /** Loads a collection; only those that the caller may read are there. */
  readonly load: { readonly [Name in CollectionName]?: (signal: AbortSignal) => Promise<TopCollections[Name]> };
  stopRequest(id: string): Promise<void>;
  unloadModel(id: string): Promise<void>;
  pauseDeployment(id: string): Promise<void>;
  cancelDownload(id: string): Promise<void>;
};

/** How often each collection is loaded, in milliseconds after the last time. */
export const POLL_PAUSE_MS: Readonly<Record<CollectionName, number>> = {
  models: 10_000,
  deployments: 5_000,
  recent: 10_000,
  modelHost: 3_000,
  backends: 5_000,
  downloads: 2_000,
};
