import { type ListAttention, toAttentionItem } from "../../platform/core/attention.ts";
import { DAY_MS } from "../../platform/core/time.ts";
import { createApiKeysRepository } from "./api-keys.repository.ts";

const LEAD_MS = 7 * DAY_MS;
const WARNING_PERCENT = 90;

/** Returns the keys that end within seven days, and those that have spent their limit or nine tenths of it. */
export const listKeyAttention: ListAttention = async (db, { organizationId, now, limit }) => {
  const apiKeysRepository = createApiKeysRepository(db);
  const to = new Date(now.getTime() + LEAD_MS);
  const [expiring, spent] = await Promise.all([
    apiKeysRepository.listExpiring(organizationId, { from: now, to, limit }),
    apiKeysRepository.listSpent(organizationId, { percent: WARNING_PERCENT, now, limit }),
  ]);
  return [
    ...expiring.map(({ id, name, expires_at: happens_at }) =>
      toAttentionItem({
        kind: "key_expiring",
        severity: "warning",
        subject_id: id,
        subject: name,
        happens_at,
        message: `The key ${name} ends within 7 days.`,
      }),
    ),
    ...spent.map(({ id, name, is_spent }) =>
      toAttentionItem({
        kind: "key_spent",
        severity: is_spent ? "error" : "warning",
        subject_id: id,
        subject: name,
        message: is_spent
          ? `The key ${name} has spent its limit, so its calls are refused.`
          : `The key ${name} has spent ${WARNING_PERCENT} % of its limit.`,
      }),
    ),
  ];
};
