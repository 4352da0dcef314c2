import type { AttentionItem } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { paths } from "#/config/paths.ts";

/** Returns what an item is about, as a sentence. Empty for kinds that this version of the site does not know. */
export function describeItem({ kind, severity, subject, count }: AttentionItem): string {
  const name = subject ?? "";
  const isError = severity === "error";
  const waiting = count ?? 0;
  switch (kind) {
    case "webhook_off":
      return t`The webhook to ${name} was switched off.`;
    case "webhook_failing":
      return t`Events cannot be delivered to ${name}.`;
    case "key_expiring":
      return t`The key ${name} ends within 7 days.`;
    case "key_spent":
      return isError ? t`The key ${name} has spent its limit.` : t`The key ${name} has spent most of its limit.`;
    case "budget_spent":
      return describeBudget(subject, isError);
    case "deployment_failed":
      return t`The deployment ${name} does not run.`;
    case "card_expiring":
      return isError ? t`The card that ends in ${name} has expired.` : t`The card that ends in ${name} expires soon.`;
    case "card_missing":
      return t`The plan has no card to which it can be charged.`;
    case "invoice_unpaid":
      return t`The invoice ${name} could not be charged.`;
    case "top_ups_paused":
      return t`Automatic top-ups are paused.`;
    case "billing_details_refused":
      return describeRefused(subject);
    case "invitations_open":
      return plural(waiting, {
        one: "# invitation is not accepted yet.",
        other: "# invitations are not accepted yet.",
      });
    case "backend_down":
      return t`The backend ${name} does not answer.`;
    case "mail_failed":
      return plural(waiting, {
        one: "# message of the last 7 days could not be delivered.",
        other: "# messages of the last 7 days could not be delivered.",
      });
    case "accounts_waiting":
      return plural(waiting, { one: "# account waits for approval.", other: "# accounts wait for approval." });
    case "models_requested":
      return plural(waiting, {
        one: "People ask for # model that does not run.",
        other: "People ask for # models that do not run.",
      });
    case "purchases_pending":
      return plural(waiting, {
        one: "# purchase at a cloud marketplace is pending.",
        other: "# purchases at cloud marketplaces are pending.",
      });
    case "disk_nearly_full":
      return isError
        ? t`The disk of the server has less than 1 GB free.`
        : t`The disk of the server has less than 5 GB free.`;
  }
}

function describeRefused(part: string | null): string {
  if (part === "address")
    return t`The address that was changed at the payment service does not fit here, for example the VAT id. Enter it in the billing details.`;
  return part === "email"
    ? t`The e-mail address that was changed at the payment service is not valid. Enter it in the billing details.`
    : t`The name that was changed at the payment service is not valid. Enter it in the billing details.`;
}

function describeBudget(member: string | null, isSpent: boolean): string {
  if (member === null)
    return isSpent ? t`The organization's budget is spent.` : t`Most of the organization's budget is spent.`;
  return isSpent ? t`The budget of ${member} is spent.` : t`Most of the budget of ${member} is spent.`;
}

/** Returns the page on which something can be done about an item. */
export function findPage({ kind, subject_id: id }: AttentionItem): string {
  switch (kind) {
    case "webhook_off":
    case "webhook_failing":
      return paths.organizationWebhooks;
    case "key_expiring":
    case "key_spent":
      return paths.apiKeys;
    case "budget_spent":
      return paths.organization;
    case "deployment_failed":
      return paths.deployment(id ?? "");
    case "card_expiring":
    case "card_missing":
      return paths.paymentMethods;
    case "invoice_unpaid":
    case "top_ups_paused":
      return paths.account;
    case "billing_details_refused":
      return `${paths.account}#billing-details`;
    case "invitations_open":
      return `${paths.organization}?view=invitations`;
    case "backend_down":
      return "/admin/backends";
    case "mail_failed":
      return "/admin/outbox?state=failed";
    case "accounts_waiting":
      return "/admin/users?status=pending";
    case "models_requested":
      return "/admin/model-requests";
    case "purchases_pending":
      return "/admin/marketplaces?status=pending";
    case "disk_nearly_full":
      return "/admin/downloads";
  }
}
