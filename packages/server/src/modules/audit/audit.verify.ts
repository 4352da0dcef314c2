import type { Database } from "../../db/connect.ts";
import { auditHash, FIRST_HASH } from "./audit.ts";

/** Whether the hash chain is intact. If not, `sequence` is the first row that was changed, removed or inserted. */
export type Verdict =
  | { holds: true; rows: number; lastHash: string }
  | { holds: false; sequence: number; reason: string };

/** A row recorded elsewhere that must still exist. Without one, rows removed from the end go unnoticed. */
export type NotedRow = { sequence: number; hash: string };

const BATCH = 1_000;

/** Verifies the audit log from its first row by recomputing every hash. */
export async function verifyAudit(db: Database, noted?: NotedRow): Promise<Verdict> {
  let previous: Buffer = FIRST_HASH;
  let sequence = 0;
  for (;;) {
    const rows = await db
      .selectFrom("audit_log")
      .selectAll()
      .where("sequence", ">", sequence)
      .orderBy("sequence")
      .limit(BATCH)
      .execute();
    for (const { hash, ...row } of rows) {
      sequence += 1;
      const broken = (reason: string): Verdict => ({ holds: false, sequence, reason });
      if (row.sequence !== sequence) return broken("is missing");
      if (!row.previous_hash.equals(previous)) return broken("does not follow the row before it");
      if (!hash.equals(auditHash(row))) return broken("was changed");
      if (noted?.sequence === sequence && hash.toString("hex") !== noted.hash) return broken("is not the row noted");
      previous = hash;
    }
    if (rows.length < BATCH) break;
  }
  if (noted && noted.sequence > sequence) return { holds: false, sequence: sequence + 1, reason: "is missing" };
  return { holds: true, rows: sequence, lastHash: previous.toString("hex") };
}
