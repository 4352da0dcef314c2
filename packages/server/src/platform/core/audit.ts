import type { SignedInActor } from "./auth/actor.ts";
import type { Database } from "./db/connect.ts";

/** A security-relevant event. `action` is `resource.verb`, such as `api_keys.create`. Details must not hold secrets. */
export type AuditEvent = {
  action: string;
  /** Id of the affected resource. */
  target?: string | null;
  details?: Record<string, unknown>;
  ip?: string | null;
} & (
  | { actor: SignedInActor }
  /**
   * The user of an event without an actor: a sign-in, or a later effect such as that of a payment. Null for events of the
   * platform itself.
   */
  | { userId: string | null; organizationId?: string | null; credential?: string | null }
);

/** The credential of a request as `type:id`, and its IP address, as the audit log stores them. */
export type Origin = { credential: string | null; ip: string | null };

/** Returns the credential and IP address of the actor's request. */
export function originOf({ credential, ip }: SignedInActor): Origin {
  return { credential: `${credential.type}:${credential.id}`, ip: ip ?? null };
}

/** Writes events to the audit log. With `trx`, the event is part of that transaction. */
export type Audit = { record(event: AuditEvent, trx?: Database): Promise<void> };
