import type { MailTemplateSummary } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** The groups of mails in their order, with their headings. */
export const MAIL_GROUPS: readonly { group: MailTemplateSummary["group"]; title: string }[] = [
  { group: "sign_in", title: t`Sign-in and accounts` },
  { group: "organization", title: t`Organizations` },
  { group: "billing", title: t`Billing` },
  { group: "dunning", title: t`Dunning` },
  { group: "operations", title: t`Operations` },
];

/** Returns how the words of a mail stand: as a tier of a badge, and in words. */
export function describeWords({ is_edited, problem, has_new_default }: Omit<MailTemplateSummary, "edited_at">): {
  tier: string;
  label: string;
} {
  if (problem !== null) return { tier: "bad", label: t`not used` };
  if (!is_edited) return { tier: "offline", label: t`default` };
  return has_new_default ? { tier: "loading", label: t`edited, new default` } : { tier: "good", label: t`edited` };
}
