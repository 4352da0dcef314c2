import { type RawBuilder, type SqlBool, sql } from "kysely";

/** A viewer of the catalogue, with the limits of their plan. */
export type Viewer = {
  userId: string | null;
  organizationId: string | null;
  /** Set on pages of administrators, which show the models of all organizations. */
  seesAll?: true;
  /** Whether calls of the viewer's organization may go elsewhere. */
  callsElsewhere: boolean;
  /** Set for administrators, who see the names of backends. */
  isAdmin?: true;
  plan: { id: string; maxModelSize: number | null; maxContextLength: number | null } | null;
};

/** A viewer without an account. */
export const ANONYMOUS_VIEWER: Viewer = { userId: null, organizationId: null, callsElsewhere: true, plan: null };

/**
 * Returns the condition that the viewer sees the model: public ones, and those of their organization. A private model hides
 * the public one with the same id from its organization, as in calls.
 */
export function isVisibleTo({ organizationId, seesAll }: Viewer): RawBuilder<SqlBool> {
  if (seesAll) return sql`true`;
  if (organizationId === null) return sql`models.organization_id is null`;
  return sql`(models.organization_id = ${organizationId} or (models.organization_id is null and models.id_lower <> all(array(
    select lower(model_id_of(own.model_id)) from private_models own where own.organization_id = ${organizationId}
  ))))`;
}
