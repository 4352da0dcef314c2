import type { BackendRegistry } from "../../gateway/index.ts";
import type { HostedModel, RuntimeName } from "../runtimes/index.ts";

/** The state of a model that is not ready. `progress` is 0 to 1. */
export type Availability = {
  tier: "cold" | "loading";
  stage: string | null;
  progress: number | null;
  /** A sentence for callers that says what delays loading; absent or null if nothing does or that is unknown. */
  reason?: string | null;
  readyAt: Date | null;
};

/** The state of a model that is not loaded. */
export const COLD_AVAILABILITY: Availability = { tier: "cold", stage: null, progress: null, readyAt: null };

/** Returns the name in the backend registry of the engine that runs a model. */
export const engineBackendName = (modelId: string) => `engine:${modelId}`;

/**
 * The state of a model that is loaded, loading or unloading, or that waits for memory, for a machine, or for its next
 * attempt to start.
 */
export type LoadedState = "waiting" | "loading" | "warm" | "restarting" | "unloading" | "failed";

/** A model that is loaded, loading or unloading, or that waits for memory or for its next attempt to start. */
export type LoadedModel = {
  /** Its id, or the key of a private model. */
  key: string;
  runtime: RuntimeName;
  state: LoadedState;
  /** Why it waits, starts again or is not loaded; null without a reason. */
  reason: string | null;
  /** The memory that is reserved for it, in bytes. */
  memoryBytes: number;
  /** Tokens of context for each of its sequences. */
  contextLength: number;
  /** Number of calls that it is answering. */
  inFlight: number;
  lastUsedAt: Date;
};

/** The part of the backend registry that a host of models needs. */
export type HostRegistry = Pick<BackendRegistry, "set" | "remove" | "list" | "lastAnswerAt">;

/** What a host reports about its models. A model is named by its id, a private one by its key. */
export type HostedModels = {
  ids(): string[];
  find(key: string): HostedModel | null;
  /** Returns the state of a model that is not ready; null if it is ready or cannot be loaded. */
  availability(key: string): Availability | null;
  /** Returns why the engine of a model failed; null if it did not fail. */
  failure(key: string): string | null;
  /** Returns why a model cannot be loaded; null if it can be, or is being loaded. */
  loadingProblem(key: string): string | null;
  /** Returns whether a pinned model is being loaded for the first time. */
  isLoadingPinned(): boolean;
  /**
   * Returns whether a model is loaded, loading or unloading, or waits for memory or its next attempt. False if it failed.
   */
  isLoaded(key: string): boolean;
  /** Returns whether a model takes calls. */
  isWarm(key: string): boolean;
};

/**
 * Runs models: on this machine, or in a cluster. Loaded models are added to the backend registry, through which calls reach
 * them.
 */
export type ModelHost = HostedModels & {
  /** Makes a model callable. It is loaded by the first call, or at once if it is pinned. */
  register(model: HostedModel): void;
  /** Unloads a model and makes it uncallable. */
  unregister(key: string): Promise<void>;
  /** Called when all stored models are registered. A cluster then removes what belongs to no model. */
  completeRegistration(): void;
  /** Starts loading a model unless it is loading already. Returns its state; null if it cannot be loaded. */
  wake(key: string): Promise<Availability | null>;
  /** Returns what `availability` returns. It is the port of the gateway. */
  state(key: string): Promise<Availability | null>;
  /** Unloads a model. The next call loads it again. */
  unload(key: string): Promise<void>;
  /** Unloads a model and loads it again. Returns false if it is not registered. */
  reload(key: string): boolean;
  /** Returns the models that hold or wait for memory. */
  listLoaded(): LoadedModel[];
  /** The work that is due regularly, such as unloading idle models. */
  job: { name: string; everySeconds: number; run(): Promise<void> };
  /** Stops what ends with this process. */
  stop(): Promise<void>;
};
