import { createHash } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import { LOCKS } from "../../db/locks.ts";
import type { AuditLog } from "../../db/schema.generated.ts";
import { impersonatorOf, type SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Ids } from "../../shared/ids.ts";

/** A security-relevant act. `action` is `resource.verb`, such as `api_keys.create`; details hold no secrets. */
export type Act = {
  action: string;
  /** Id of what it was done to. */
  target?: string | null;
  details?: Record<string, unknown>;
  ip?: string | null;
} & (
  | { actor: SignedIn }
  /**
   * Who did it where the actor is not at hand: no credential was presented, such as at sign-in, or the act follows later,
   * such as from a payment. Nobody for acts of the platform itself.
   */
  | { userId: string | null; organizationId?: string | null; credential?: string | null }
);

/** With which credential, as `type:id`, and from which address something was done, as the log holds it. */
export type Origin = { credential: string | null; ip: string | null };

export function originOf({ credential, ip }: SignedIn): Origin {
  return { credential: `${credential.type}:${credential.id}`, ip: ip ?? null };
}

export type Audit = { record(act: Act, trx?: Database): Promise<void> };

export type AuditRow = Selectable<AuditLog>;

export const FIRST_HASH = Buffer.alloc(32);

/** Writes the audit log, one row after the other: within `trx`, if and only if that commits. */
export function createAudit(db: Database, clock: Clock, ids: Ids): Audit {
  async function append(act: Act, trx: Database): Promise<void> {
    await sql`select pg_advisory_xact_lock(${LOCKS.auditLog})`.execute(trx);
    const last = await trx
      .selectFrom("audit_log")
      .select(["sequence", "hash"])
      .orderBy("sequence", "desc")
      .limit(1)
      .executeTakeFirst();
    const row = {
      sequence: Number(last?.sequence ?? 0) + 1,
      id: ids.next("aud"),
      at: clock.now(),
      action: act.action,
      ...who(act),
      target: act.target ?? null,
      ip: act.ip ?? ("actor" in act ? act.actor.ip : null) ?? null,
      details: storable(act.details ?? {}),
      previous_hash: last?.hash ?? FIRST_HASH,
    };
    await trx
      .insertInto("audit_log")
      .values({ ...row, details: JSON.stringify(row.details), hash: auditHash(row) })
      .execute();
  }

  return {
    async record(act, trx) {
      if (trx) await append(act, trx);
      else await db.transaction().execute((own) => append(act, own));
    },
  };
}

function who(act: Act) {
  if (!("actor" in act))
    return {
      actor_user_id: act.userId,
      impersonator_user_id: null,
      organization_id: act.organizationId ?? null,
      credential: act.credential ?? null,
    };
  const { actor } = act;
  return {
    actor_user_id: actor.userId,
    impersonator_user_id: impersonatorOf(actor),
    organization_id: actor.forPlatform ? null : actor.organizationId,
    credential: originOf(actor).credential,
  };
}

/** Details as the database gives them back, so that their hash stays the same: PostgreSQL's JSON holds neither NUL nor halves of characters. */
function storable(details: Record<string, unknown>): Record<string, unknown> {
  const clean = (_name: string, value: unknown) =>
    typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\uFFFD") : value;
  return JSON.parse(JSON.stringify(details, clean)) as Record<string, unknown>;
}

type Hashed = Omit<AuditRow, "hash" | "sequence" | "details"> & { sequence: number; details: unknown };

/** SHA-256 over the row, written with sorted keys, and the hash before it. */
export function auditHash(row: Hashed): Buffer {
  const { previous_hash, ...rest } = row;
  return createHash("sha256").update(previous_hash).update(canonical(rest)).digest();
}

function canonical(value: unknown): string {
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}
