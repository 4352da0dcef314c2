import { type RawBuilder, type SqlBool, sql } from "kysely";

/** Whose view of the catalogue it is. */
export type Reader = {
  userId: string | null;
  organizationId: string | null;
  /** Admins look at the models of every organization where they administer them. */
  seesAll?: true;
  plan: { id: string; maxModelSize: number | null; maxContextLength: number | null } | null;
};

export const NOBODY: Reader = { userId: null, organizationId: null, plan: null };

/** Models that everybody sees, and those of the reader's organization. */
export function visibleTo({ organizationId, seesAll }: Reader): RawBuilder<SqlBool> {
  if (seesAll) return sql`true`;
  return sql`(models.organization_id is null or models.organization_id = ${organizationId})`;
}
