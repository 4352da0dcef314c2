import { createHash } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { type Audit, type AuditEvent, originOf } from "../core/audit.ts";
import { impersonatorOf } from "../core/auth/actor.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import { LOCKS } from "../core/db/locks.ts";
import type { AuditLog } from "../core/db/schema.generated.ts";
import type { Ids } from "../core/ids.ts";

/** A row of the audit log as it is stored. */
export type AuditRow = Selectable<AuditLog>;

/** The previous hash of the first row. */
export const FIRST_HASH = Buffer.alloc(32);

/** Creates the writer of the audit log. A lock makes writers wait for each other, because each row holds the hash of the previous one. */
export function createAudit(db: Database, clock: Clock, ids: Ids): Audit {
  async function appendRow(event: AuditEvent, trx: Database): Promise<void> {
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
      action: event.action,
      ...toActorColumns(event),
      target: event.target ?? null,
      ip: event.ip ?? ("actor" in event ? event.actor.ip : null) ?? null,
      details: toStorableDetails(event.details ?? {}),
      previous_hash: last?.hash ?? FIRST_HASH,
    };
    await trx
      .insertInto("audit_log")
      .values({ ...row, details: JSON.stringify(row.details), hash: auditHash(row) })
      .execute();
  }

  return {
    async record(event, trx) {
      if (trx) await appendRow(event, trx);
      else await db.transaction().execute((ownTrx) => appendRow(event, ownTrx));
    },
  };
}

function toActorColumns(event: AuditEvent) {
  if (!("actor" in event))
    return {
      actor_user_id: event.userId,
      impersonator_user_id: null,
      organization_id: event.organizationId ?? null,
      credential: event.credential ?? null,
    };
  const { actor } = event;
  return {
    actor_user_id: actor.userId,
    impersonator_user_id: impersonatorOf(actor),
    organization_id: actor.forPlatform ? null : actor.organizationId,
    credential: originOf(actor).credential,
  };
}

/** Returns details as PostgreSQL will return them, so that the hash stays the same: its JSON cannot hold NUL or lone surrogates. */
function toStorableDetails(details: Record<string, unknown>): Record<string, unknown> {
  const clean = (_name: string, value: unknown) =>
    typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\uFFFD") : value;
  return JSON.parse(JSON.stringify(details, clean)) as Record<string, unknown>;
}

type HashedRow = Omit<AuditRow, "hash" | "sequence" | "details"> & { sequence: number; details: unknown };

/** Returns the SHA-256 of the previous hash and the row as JSON with sorted keys. */
export function auditHash(row: HashedRow): Buffer {
  const { previous_hash, ...rest } = row;
  return createHash("sha256").update(previous_hash).update(toCanonicalJson(rest)).digest();
}

function toCanonicalJson(value: unknown): string {
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${toCanonicalJson(item)}`).join(",")}}`;
}
