import { type Origin, originOf } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";

/** The user who buys and the organization that pays, with the credential and IP address of the request. */
export type Buyer = { userId: string; organizationId: string } & Origin;

/** Returns the actor as a buyer for their organization. */
export function toBuyer(actor: SignedInActor): Buyer {
  return { userId: actor.userId, organizationId: actor.organizationId, ...originOf(actor) };
}
