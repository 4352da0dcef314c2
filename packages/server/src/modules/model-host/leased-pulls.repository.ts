import type { Database } from "../../core/db/connect.ts";
import type { PullRow } from "../model-store/index.ts";

/** Downloads that are not of a single file: those of safetensors files, and those that Ollama does. */
export type PullKind = "safetensors" | "ollama";

/** What the repository of a download that Ollama does begins with. */
export const OLLAMA_PREFIX = "ollama:";

const ACTIVE_STATES = ["queued", "downloading", "verifying"];
const MARKS = {
  safetensors: { column: "due.file", pattern: "%.safetensors" },
  ollama: { column: "due.repository", pattern: `${OLLAMA_PREFIX}%` },
} as const;

/** Claims the next download of a kind without a valid lease; undefined if there is none. */
export function claimLeasedPull(
  db: Database,
  kind: PullKind,
  now: Date,
  leaseUntil: Date,
): Promise<PullRow | undefined> {
  const { column, pattern } = MARKS[kind];
  return db
    .updateTable("store_pulls")
    .set({ state: "downloading", lease_until: leaseUntil, updated_at: now })
    .where("id", "=", (eb) =>
      eb
        .selectFrom("store_pulls as due")
        .select("due.id")
        .where("due.state", "in", ACTIVE_STATES)
        .where(column, "like", pattern)
        .where((or) => or.or([or("due.lease_until", "is", null), or("due.lease_until", "<", now)]))
        .orderBy("due.created_at")
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}
