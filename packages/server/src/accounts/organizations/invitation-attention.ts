import { type ListAttention, toAttentionItem } from "../../platform/core/attention.ts";

/** Returns how many invitations to the organization are open, and when the first of them ends. */
export const listInvitationAttention: ListAttention = async (db, { organizationId, now }) => {
  const { count, at } = await db
    .selectFrom("invitations")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min("expires_at").as("at")])
    .where("organization_id", "=", organizationId)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  const message = count === 1 ? "An invitation is not accepted yet." : `${count} invitations are not accepted yet.`;
  return count === 0
    ? []
    : [toAttentionItem({ kind: "invitations_open", severity: "info", count, happens_at: at, message })];
};
