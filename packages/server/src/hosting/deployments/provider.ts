import type { components } from "@feather/openapi/schema";
import type { Program } from "../../gateway/index.ts";

/** The contract's schema of a provider: its regions and instance types. */
export type ProviderDescription = components["schemas"]["DeploymentProvider"];

/** The model, options and location of a deployment. Any change increments its generation. */
export type DeploymentSpec = {
  organizationId: string;
  /** The id of a public model, or the key of a private one. */
  modelKey: string;
  revision: string | null;
  region: string;
  instanceType: string;
  engineArgs: Readonly<Record<string, string | number | boolean>>;
};

/** The target state of a deployment that a provider must reach. */
export type DeploymentTarget = { id: string; generation: number; replicas: number; spec: DeploymentSpec };

/** How to connect to a replica. */
export type Endpoint = { baseUrl: string; socketPath?: string; apiKey?: string; program: Program };

/** One running copy of a deployment. */
export type Replica = {
  name: string;
  generation: number;
  state: "starting" | "ready" | "failed" | "stopping";
  /** Why it is not ready; null if that is unknown. */
  reason: string | null;
  endpoint: Endpoint | null;
};

/** The last target that a provider was given, and its replicas. */
export type Observed = {
  generation: number;
  targetReplicas: number;
  replicas: readonly Replica[];
  /** A sentence that says why the provider cannot reach the target; undefined or null if it can. */
  problem?: string | null;
};

/** A line of a replica's output, as the API returns it. */
export type LogLine = { logged_at: string; replica: string; text: string };

/**
 * A provider that runs deployments. It converges to the target on its own; when the generation changes, it replaces one
 * replica after the other. All operations are idempotent. The observed state may be out of date.
 */
export type DeploymentProvider = {
  describe(): ProviderDescription;
  /** Throws if the provider cannot run the deployment. */
  check(spec: DeploymentSpec, limits: { maxReplicas: number }): void;
  apply(target: DeploymentTarget): Promise<void>;
  /** Stops and deletes everything that belongs to a deployment. */
  remove(id: string): Promise<void>;
  /** Returns the observed state of a deployment; null if nothing of it is left. */
  observe(id: string): Promise<Observed | null>;
  /** Returns the ids of all deployments that the provider has something of, even if they are being deleted. */
  list(): Promise<readonly string[]>;
  /** Returns the last lines, the oldest first. */
  logs(id: string, tail: number): Promise<readonly LogLine[]>;
  /** Calls `listener` for every new line, and `onEnd` after the last one. Returns a function that unsubscribes. */
  follow(id: string, listener: (line: LogLine) => void, onEnd: () => void): () => void;
  /** Calls `listener` with a deployment's id when its replicas have changed. */
  onChange(listener: (id: string) => void): void;
  /** Called every few seconds, to retry what could not be done before. */
  tick(): Promise<void>;
  /** Stops everything that runs in this process. Deployments that run elsewhere keep running. */
  stop(): Promise<void>;
};
