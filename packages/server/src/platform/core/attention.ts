import type { components } from "@feather/openapi/schema";
import type { Database } from "./db/connect.ts";

/** Something that a person should look at, as the contract shows it. */
export type AttentionItem = components["schemas"]["AttentionItem"];

/** Returns what needs attention in an organization, at most `limit` items of each kind, the most urgent first. */
export type ListAttention = (
  db: Database,
  about: {
    organizationId: string;
    /** The only member whose own things are listed; null for all. */
    onlyUser: string | null;
    now: Date;
    limit: number;
  },
) => Promise<AttentionItem[]>;

/** Returns an item from what differs between kinds. */
export function toAttentionItem(
  item: Pick<AttentionItem, "kind" | "severity" | "message"> &
    Partial<Pick<AttentionItem, "subject_id" | "subject" | "count">> & { happens_at?: Date | null },
): AttentionItem {
  const { kind, severity, subject_id = null, subject = null, count = null, happens_at: at = null, message } = item;
  return { kind, severity, subject_id, subject, count, happens_at: at?.toISOString() ?? null, message };
}
