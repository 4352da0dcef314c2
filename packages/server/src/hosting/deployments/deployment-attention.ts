import { type ListAttention, toAttentionItem } from "../../platform/core/attention.ts";

/** Returns the deployments that do not run, the latest first. */
export const listDeploymentAttention: ListAttention = async (db, { organizationId, limit }) => {
  const rows = await db
    .selectFrom("deployments")
    .select(["id", "name"])
    .where("organization_id", "=", organizationId)
    .where("state", "=", "failed")
    .where("deleting", "=", false)
    .where("paused", "=", false)
    .orderBy("updated_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id, name }) =>
    toAttentionItem({
      kind: "deployment_failed",
      severity: "error",
      subject_id: id,
      subject: name,
      message: `The deployment ${name} does not run.`,
    }),
  );
};
