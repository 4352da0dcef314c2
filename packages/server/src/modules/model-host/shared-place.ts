import type { BackendRegistry } from "../../gateway/index.ts";
import type { ModelHost } from "./model-host.ts";
import type { RuntimeLimits } from "./runtimes.ts";

/** What a host of models needs of the backend registry. */
export type HostRegistry = Pick<BackendRegistry, "set" | "remove" | "list" | "lastAnswerAt">;

/**
 * Where the models that all share run, if not on this machine. Their files are not kept here: whatever runs them there gets
 * them from the hub.
 */
export type SharedPlace = {
  /** The memory of the largest machine there for each runtime, which decides what fits. */
  limits: RuntimeLimits;
  /** Creates the host of the models; it adds those that run to the registry. */
  createHost(registry: HostRegistry): ModelHost;
};
