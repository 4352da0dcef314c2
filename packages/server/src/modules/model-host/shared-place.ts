import type { BackendRegistry } from "../../gateway/index.ts";
import type { ModelHost } from "./model-host.ts";
import type { RuntimeLimits } from "./runtimes.ts";

/** What a host of models needs of the backend registry. */
export type HostRegistry = Pick<BackendRegistry, "set" | "remove" | "list" | "lastAnswerAt">;

/**
 * Where models run, if not on this machine: those that all share, whose files are not kept here, since whatever runs them there
 * gets them from the hub; and private ones, if it gets files from this machine too.
 */
export type SharedPlace = {
  /** Whether what runs models there gets files from this machine. */
  getsFiles: boolean;
  /** The memory of the largest machine there for each runtime, which decides what fits. */
  limits: RuntimeLimits;
  /** Creates the host of these models; it adds those that run to the registry. */
  createHost(registry: HostRegistry): ModelHost;
};
