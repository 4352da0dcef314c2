import { type ListAttention, toAttentionItem } from "../core/attention.ts";

/** What an endpoint that a member did not switch off is off for, as the end of a sentence. */
const REASONS: Readonly<Record<string, string>> = {
  failing: "its events could not be delivered",
  gone: "its address answered that it is gone",
  permission_ended: "the permission of the application that made it has ended",
};

/** Returns the endpoints that the server switched off, and those whose last events could not be delivered. */
export const listWebhookAttention: ListAttention = async (db, { organizationId, limit }) => {
  const rows = await db
    .selectFrom("webhook_endpoints")
    .select(["id", "url", "disabled_reason", "first_failed_at"])
    .where("organization_id", "=", organizationId)
    .where((eb) =>
      eb.or([
        eb("disabled_reason", "in", Object.keys(REASONS)),
        eb.and([eb("disabled_reason", "is", null), eb("first_failed_at", "is not", null)]),
      ]),
    )
    .orderBy("first_failed_at")
    .orderBy("id")
    .execute();
  const items = rows.map(({ id, url, disabled_reason: reason, first_failed_at: happens_at }) => {
    const subject = new URL(url).host;
    const about = { subject_id: id, subject, happens_at };
    if (reason === null)
      return toAttentionItem({
        ...about,
        kind: "webhook_failing",
        severity: "warning",
        message: `Events could not be delivered to ${subject}. It is switched off when that lasts for 5 days.`,
      });
    const message = `The webhook to ${subject} is off because ${REASONS[reason]}.`;
    return toAttentionItem({ ...about, kind: "webhook_off", severity: "error", message });
  });
  return [
    ...items.filter(({ kind }) => kind === "webhook_off").slice(0, limit),
    ...items.filter(({ kind }) => kind === "webhook_failing").slice(0, limit),
  ];
};
