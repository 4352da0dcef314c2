import type { RuntimeLimits } from "../runtimes/index.ts";
import type { HostRegistry, ModelHost } from "./host.ts";

/**
 * A host of models other than this machine. It runs public models, whose files it downloads from the hub and this machine
 * does not store; and private ones too if it can get files from this machine.
 */
export type SharedPlace = {
  /** Whether the machines or pods there download files from this server. Private models run there only if so. */
  getsFiles: boolean;
  /** The memory of the largest machine there, for each runtime. It decides which models fit. */
  limits: RuntimeLimits;
  /** Creates the host of these models, which adds the loaded ones to the registry. */
  createHost(registry: HostRegistry): ModelHost;
};
