import type { components } from "@feather/openapi/schema";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import type { CallerPlan } from "../ports.ts";

/** Which requests go first where requests wait: `interactive` ones before those of a `batch`. */
export type Priority = components["schemas"]["Plan"]["priority"];

/** Returns the priority of a caller's calls: that of a batch if their API key or their plan has it, or nobody waits for them. */
export function getPriority({ actor, plan }: { actor: SignedInActor; plan: CallerPlan }): Priority {
  const { credential } = actor;
  const isBatchKey = credential.type === "key" && credential.limits.isBatch;
  const isBatch = isBatchKey || credential.type === "collection" || plan.plan.priority === "batch";
  return isBatch ? "batch" : "interactive";
}

/** Returns whether a request goes before one with another priority, even if it came later. */
export const goesBefore = (priority: Priority, other: Priority): boolean =>
  priority === "interactive" && other === "batch";

/** Added to the turns of batches, so that all of them come after those of interactive requests. */
const BATCH_TURNS = 2 ** 52;

/** Returns the place of a request in the order of all replicas, from its place in the order of their arrival. */
export const toTurn = (arrival: number, priority: Priority): number =>
  priority === "batch" ? BATCH_TURNS + arrival : arrival;

/** The turn before which a request without one certainly is: the first of batches, or null if that is unknown. */
export const latestTurnOf = (priority: Priority): number | null => (priority === "batch" ? null : BATCH_TURNS);
