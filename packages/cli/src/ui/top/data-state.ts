import type { Concurrency } from "@feather/sdk";
import { addSample, type Sample } from "../../output/rate.ts";
import { assignLanes, type Lanes } from "./lanes.ts";
import type { CollectionName, TopCollections } from "./source.ts";

/**
 * The last loaded value of a collection, null before the first load; and the error of the last load, null if it
 * succeeded.
 */
export type Loaded<Value> = { readonly value: Value | null; readonly error: string | null };

/** What the screen is about. */
export type TopData = {
  readonly usage: Concurrency;
  readonly lanes: Lanes;
  readonly collections: { readonly [Name in CollectionName]: Loaded<TopCollections[Name]> };
  /** Bytes of downloads over time, by the id of the download. */
  readonly samples: Readonly<Record<string, readonly Sample[]>>;
  /** When the connection was lost; null while there is one. */
  readonly disconnectedAt: Date | null;
};

/** What can happen to the data. */
export type DataAction =
  | { readonly type: "usage"; readonly usage: Concurrency }
  | { readonly type: "disconnected"; readonly at: Date }
  | LoadedAction
  | { readonly type: "failed"; readonly name: CollectionName; readonly error: string };

/** A collection was loaded at a time. */
export type LoadedAction = {
  readonly [Name in CollectionName]: {
    readonly type: "loaded";
    readonly name: Name;
    readonly value: TopCollections[Name];
    readonly at: Date;
  };
}[CollectionName];

const NOTHING: Loaded<never> = { value: null, error: null };

/** Returns the data before anything but the usage is loaded. */
export function createTopData(usage: Concurrency): TopData {
  return {
    usage,
    lanes: assignLanes([], usage),
    collections: {
      models: NOTHING,
      deployments: NOTHING,
      recent: NOTHING,
      modelHost: NOTHING,
      backends: NOTHING,
      downloads: NOTHING,
    },
    samples: {},
    disconnectedAt: null,
  };
}

/** Returns the data after an action. */
export function topDataReducer(data: TopData, action: DataAction): TopData {
  switch (action.type) {
    case "usage":
      return {
        ...data,
        usage: action.usage,
        lanes: assignLanes(data.lanes, action.usage),
        disconnectedAt: null,
      };
    case "disconnected":
      return { ...data, disconnectedAt: data.disconnectedAt ?? action.at };
    case "loaded": {
      const collections = { ...data.collections, [action.name]: { value: action.value, error: null } };
      const samples =
        action.name === "downloads" ? measureDownloads(data.samples, action.value, action.at) : data.samples;
      return { ...data, collections, samples };
    }
    case "failed": {
      const { value } = data.collections[action.name];
      return { ...data, collections: { ...data.collections, [action.name]: { value, error: action.error } } };
    }
  }
}

function measureDownloads(
  samples: TopData["samples"],
  downloads: TopCollections["downloads"],
  at: Date,
): TopData["samples"] {
  return Object.fromEntries(
    downloads
      .filter(({ state }) => state === "downloading")
      .map(({ id, bytes_done: done }) => [id, addSample(samples[id] ?? [], { at: at.getTime(), done })]),
  );
}
