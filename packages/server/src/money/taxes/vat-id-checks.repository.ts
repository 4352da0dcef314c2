import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ViesAnswer } from "./vies-client.ts";

/** `unchecked` where VIES is not asked, `checking` before the first request, `unavailable` while it has not answered. */
export type VatIdState = "unchecked" | "checking" | "valid" | "invalid" | "unavailable";

/** What VIES has said of a VAT id, and when. */
export type VatIdCheck = {
  state: VatIdState;
  /** When VIES said that the id is valid or not; null without an answer. */
  answeredAt: Date | null;
  /** The proof of the answer; null where VIES gave none. */
  consultationNumber: string | null;
};

/** A VAT id about which VIES is to be asked. `failures` counts the faults since the last answer. */
export type DueCheck = { organizationId: string; vatId: string; state: VatIdState; failures: number };

/** The check of an id about which VIES is not asked. */
export const UNCHECKED: VatIdCheck = { state: "unchecked", answeredAt: null, consultationNumber: null };
/** The check of an id about which VIES was not asked yet. */
export const NOT_ASKED_YET: VatIdCheck = { ...UNCHECKED, state: "checking" };

/** Reads and writes what VIES says of VAT ids. */
export function createVatIdChecksRepository(db: Database) {
  return {
    ...bind(db, { find: findCheck, listDue, addMissing }),
    lock: lockDue,
    ask: askAnew,
    remove: removeCheck,
    saveAnswer,
    saveFailure,
    setNext,
  };
}

export type VatIdChecksRepository = ReturnType<typeof createVatIdChecksRepository>;

/** Returns the check of an id of an organization. Those of ids that it had before do not count. */
async function findCheck(
  db: Database,
  organizationId: string,
  vatId: string,
  trx: Database = db,
): Promise<VatIdCheck | null> {
  const row = await trx
    .selectFrom("vat_id_checks")
    .select(["state", "answered_at as answeredAt", "consultation_number as consultationNumber"])
    .where("organization_id", "=", organizationId)
    .where("vat_id", "=", vatId)
    .executeTakeFirst();
  return row ? { ...row, state: row.state as VatIdState } : null;
}

/** Lists at most `limit` ids that are to be asked about by now, those first that have waited longest. */
async function listDue(db: Database, now: Date, limit: number): Promise<DueCheck[]> {
  const rows = await dueChecks(db, now).orderBy("next_check_at").limit(limit).execute();
  return rows.map((row) => ({ ...row, state: row.state as VatIdState }));
}

/** Locks a check that is still due; undefined if it is not, for example because the id was changed meanwhile. */
async function lockDue(due: DueCheck, now: Date, trx: Database): Promise<DueCheck | undefined> {
  const row = await dueChecks(trx, now)
    .where("vat_id_checks.organization_id", "=", due.organizationId)
    .where("vat_id_checks.vat_id", "=", due.vatId)
    .forUpdate("vat_id_checks")
    .executeTakeFirst();
  return row && { ...row, state: row.state as VatIdState };
}

function dueChecks(db: Database, now: Date) {
  return db
    .selectFrom("vat_id_checks")
    .innerJoin("billing_details", (join) =>
      join
        .onRef("billing_details.organization_id", "=", "vat_id_checks.organization_id")
        .onRef("billing_details.vat_id", "=", "vat_id_checks.vat_id"),
    )
    .select([
      "vat_id_checks.organization_id as organizationId",
      "vat_id_checks.vat_id as vatId",
      "vat_id_checks.state",
      "vat_id_checks.failures",
    ])
    .where("next_check_at", "<=", now);
}

/** Adds the ids of these countries that have no check: those that were saved before VIES was asked. */
async function addMissing(db: Database, countries: readonly string[], now: Date): Promise<void> {
  await db
    .insertInto("vat_id_checks")
    .columns(["organization_id", "vat_id", "state", "next_check_at"])
    .expression((eb) =>
      eb
        .selectFrom("billing_details")
        .leftJoin("vat_id_checks", "vat_id_checks.organization_id", "billing_details.organization_id")
        .select(({ val, ref }) => [
          "billing_details.organization_id",
          ref("billing_details.vat_id").$notNull().as("vat_id"),
          val("checking").as("state"),
          val(now).as("next_check_at"),
        ])
        .where("vat_id_checks.organization_id", "is", null)
        .where("billing_details.vat_id", "is not", null)
        .where("billing_details.country", "in", countries),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Has VIES asked about an id at the next opportunity, and forgets what it said of an earlier one. */
async function askAnew(organizationId: string, vatId: string, now: Date, trx: Database): Promise<void> {
  const values = {
    vat_id: vatId,
    state: "checking",
    answered_at: null,
    consultation_number: null,
    failures: 0,
    next_check_at: now,
  };
  await trx
    .insertInto("vat_id_checks")
    .values({ organization_id: organizationId, ...values })
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(values))
    .execute();
}

async function removeCheck(organizationId: string, trx: Database): Promise<void> {
  await trx.deleteFrom("vat_id_checks").where("organization_id", "=", organizationId).execute();
}

async function saveAnswer(
  organizationId: string,
  { kind, consultationNumber }: Exclude<ViesAnswer, { kind: "unavailable" }>,
  { now, nextCheckAt }: { now: Date; nextCheckAt: Date },
  trx: Database,
): Promise<void> {
  await trx
    .updateTable("vat_id_checks")
    .set({
      state: kind,
      answered_at: now,
      consultation_number: consultationNumber,
      failures: 0,
      next_check_at: nextCheckAt,
    })
    .where("organization_id", "=", organizationId)
    .execute();
}

/** Records a fault. An answer from before stays what holds. */
async function saveFailure(
  { organizationId, state, failures }: DueCheck,
  nextCheckAt: Date,
  trx: Database,
): Promise<void> {
  await trx
    .updateTable("vat_id_checks")
    .set({
      failures: failures + 1,
      next_check_at: nextCheckAt,
      ...(state === "checking" && { state: "unavailable" }),
    })
    .where("organization_id", "=", organizationId)
    .execute();
}

async function setNext(organizationId: string, nextCheckAt: Date, trx: Database): Promise<void> {
  await trx
    .updateTable("vat_id_checks")
    .set({ next_check_at: nextCheckAt })
    .where("organization_id", "=", organizationId)
    .execute();
}
