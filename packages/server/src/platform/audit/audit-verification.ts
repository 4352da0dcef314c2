import type { Database } from "../core/db/connect.ts";
import { auditHash, FIRST_HASH } from "./audit.ts";

/** Whether the hash chain is intact. If not, `sequence` is the first row that was changed, removed or inserted. */
export type VerificationResult =
  | { isValid: true; rows: number; lastHash: string }
  | { isValid: false; sequence: number; reason: string };

/** A row recorded elsewhere that must still exist. Without one, rows removed from the end go unnoticed. */
export type ExpectedRow = { sequence: number; hash: string };

const BATCH_SIZE = 1_000;

/** Verifies the audit log from its first row by recomputing every hash. */
export async function verifyAudit(db: Database, expectedRow?: ExpectedRow): Promise<VerificationResult> {
  let previous: Buffer = FIRST_HASH;
  let sequence = 0;
  for (;;) {
    const rows = await db
      .selectFrom("audit_log")
      .selectAll()
      .where("sequence", ">", sequence)
      .orderBy("sequence")
      .limit(BATCH_SIZE)
      .execute();
    for (const { hash, ...row } of rows) {
      sequence += 1;
      const toFailure = (reason: string): VerificationResult => ({ isValid: false, sequence, reason });
      if (row.sequence !== sequence) return toFailure("is missing");
      if (!row.previous_hash.equals(previous)) return toFailure("does not follow the row before it");
      if (!hash.equals(auditHash(row))) return toFailure("was changed");
      if (expectedRow?.sequence === sequence && hash.toString("hex") !== expectedRow.hash)
        return toFailure("is not the row noted");
      previous = hash;
    }
    if (rows.length < BATCH_SIZE) break;
  }
  if (expectedRow && expectedRow.sequence > sequence)
    return { isValid: false, sequence: sequence + 1, reason: "is missing" };
  return { isValid: true, rows: sequence, lastHash: previous.toString("hex") };
}
