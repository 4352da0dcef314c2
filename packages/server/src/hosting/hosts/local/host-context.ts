import type { Logger } from "pino";
import type { Clock } from "../../../platform/core/clock.ts";
import type { HostedModel, Runtimes } from "../../runtimes/index.ts";
import { engineBackendName, type HostRegistry } from "../host.ts";
import type { LoadEstimate } from "./load-estimate.ts";
import type { Slot } from "./slot.ts";

/** What the host of this machine works with. */
export type LocalHostDeps = {
  runtimes: Runtimes;
  registry: HostRegistry;
  clock: Clock;
  /** Idle time after which a model is unloaded, in milliseconds. */
  idleMs: number;
  log: Pick<Logger, "warn">;
};

/** The number of failed starts after which an engine is not started again for a while. */
export const FAILURES_BEFORE_COOLDOWN = 3;

/** The state of the host of this machine. */
export type LocalContext = LocalHostDeps & {
  /** The models that can be called, by id. */
  registeredModels: Map<string, HostedModel>;
  /** The models that are loaded, loading, or wait for memory, by id. */
  slots: Map<string, Slot>;
  estimate: LoadEstimate;
};

/** Returns the time in milliseconds since 1970. */
export function readNow({ clock }: LocalContext): number {
  return clock.now().getTime();
}

/** Returns when a model was last called or last answered, in milliseconds since 1970. */
export function lastUsedAt({ registry }: LocalContext, { lastUsed, model }: Slot): number {
  return Math.max(lastUsed, registry.lastAnswerAt(model.id));
}

/** Returns whether a model is answering calls. */
export function isBusy(context: LocalContext, slot: Slot): boolean {
  return countInFlight(context, slot) > 0;
}

/** Returns the number of calls that a model is answering. */
export function countInFlight({ registry }: LocalContext, { model }: Slot): number {
  return registry.list().find(({ name }) => name === engineBackendName(model.id))?.inFlight ?? 0;
}
