import type { components } from "@feather/openapi/schema";
import type { Program } from "../../gateway/backends/dialects.ts";

export type ProviderDescription = components["schemas"]["DeploymentProvider"];

/** What runs, and where. A change of any of it makes a new generation. */
export type DeploymentSpec = {
  organizationId: string;
  /** The id of a public model, or the key of one of the organization. */
  modelKey: string;
  revision: string | null;
  region: string;
  instanceType: string;
  engineArgs: Readonly<Record<string, string | number | boolean>>;
};

/** What a provider is asked to make so. */
export type Wanted = { id: string; generation: number; replicas: number; spec: DeploymentSpec };

/** How a replica is reached. */
export type Endpoint = { baseUrl: string; socketPath?: string; apiKey?: string; program: Program };

export type Replica = {
  name: string;
  generation: number;
  state: "starting" | "ready" | "failed" | "stopping";
  /** Why it does not answer yet, where that is known. */
  reason: string | null;
  endpoint: Endpoint | null;
};

/** What a provider was last asked for, and what it runs. */
export type Observed = { generation: number; wanted: number; replicas: readonly Replica[] };

export type LogLine = { logged_at: string; replica: string; text: string };

/**
 * A place where deployments run. It is told what is wanted and makes it so by itself, replica by replica when the
 * generation changes; asking for the same twice changes nothing. What it reports may be late.
 */
export type DeploymentProvider = {
  describe(): ProviderDescription;
  /** Refuses what it cannot run. */
  check(spec: DeploymentSpec, limits: { maxReplicas: number }): void;
  apply(wanted: Wanted): Promise<void>;
  /** Stops everything of a deployment, for good. */
  remove(id: string): Promise<void>;
  /** Null when there is nothing of it any more. */
  observe(id: string): Promise<Observed | null>;
  /** Ids of everything there is, also of what nobody wants any more. */
  list(): Promise<readonly string[]>;
  /** The last lines, oldest first. */
  logs(id: string, tail: number): Promise<readonly LogLine[]>;
  /** Told of every line from now on. */
  follow(id: string, listener: (line: LogLine) => void, ended: () => void): () => void;
  /** Told when something has changed. */
  onChange(listener: (id: string) => void): void;
  /** Called every few seconds, to try again what had to wait. */
  tick(): Promise<void>;
  /** Ends what it has in this process; deployments that run elsewhere go on. */
  stop(): Promise<void>;
};
