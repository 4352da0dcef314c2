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

/**
 * Models that everybody sees, and those of the reader's organization. Where that has a model of its own with the id of a
 * public one, its own is what the id means to it, here and when it is called.
 */
export function visibleTo({ organizationId, seesAll }: Reader): RawBuilder<SqlBool> {
  if (seesAll) return sql`true`;
  if (organizationId === null) return sql`models.organization_id is null`;
  return sql`(models.organization_id = ${organizationId} or (models.organization_id is null and models.id_lower <> all(array(
    select lower(model_id_of(own.model_id)) from private_models own where own.organization_id = ${organizationId}
  ))))`;
}
