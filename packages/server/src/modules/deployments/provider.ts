import type { components } from "@feather/openapi/schema";
import type { Program } from "../../gateway/index.ts";

/** The contract's schema of a provider: its regions and instance types. */
export type ProviderDescription = components["schemas"]["DeploymentProvider"];

/** What a deployment runs, and where. Any change increments its generation. */
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
  /** Why it is not ready, if that is known. */
  reason: string | null;
  endpoint: Endpoint | null;
};

/** The target that a provider was last given, and the replicas it runs. */
export type Observed = {
  generation: number;
  targetReplicas: number;
  replicas: readonly Replica[];
  /** Why the provider cannot do what it was asked, in words; undefined or null if it can. */
  problem?: string | null;
};

/** A line of a replica's output, as the API returns it. */
export type LogLine = { logged_at: string; replica: string; text: string };

/**
 * A provider that runs deployments. It converges to the target by itself, replica by replica when the generation
 * changes. All operations are idempotent, and what it reports may be out of date.
 */
export type DeploymentProvider = {
  describe(): ProviderDescription;
  /** Throws if it cannot run this. */
  check(spec: DeploymentSpec, limits: { maxReplicas: number }): void;
  apply(target: DeploymentTarget): Promise<void>;
  /** Stops everything of a deployment, for good. */
  remove(id: string): Promise<void>;
  /** Returns null if nothing of the deployment is left. */
  observe(id: string): Promise<Observed | null>;
  /** Returns the ids of all deployments it knows, also of deleted ones. */
  list(): Promise<readonly string[]>;
  /** Returns the last lines, the oldest first. */
  logs(id: string, tail: number): Promise<readonly LogLine[]>;
  /** Calls `listener` for every new line. Returns a function that unsubscribes. */
  follow(id: string, listener: (line: LogLine) => void, onEnd: () => void): () => void;
  /** Calls `listener` with a deployment's id when its replicas have changed. */
  onChange(listener: (id: string) => void): void;
  /** Called every few seconds, to retry what had to wait. */
  tick(): Promise<void>;
  /** Stops what runs in this process; deployments that run elsewhere keep running. */
  stop(): Promise<void>;
};
