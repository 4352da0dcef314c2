import { applicationMails } from "../accounts/applications/applications.mails.ts";
import { accountMails } from "../accounts/identity/account/account.mails.ts";
import { securityMails } from "../accounts/identity/security.mails.ts";
import { organizationMails } from "../accounts/organizations/organizations.mails.ts";
import { peopleMails } from "../accounts/people/people.mails.ts";
import { registrationMails } from "../accounts/registration/registration.mails.ts";
import { signInProviderMails } from "../accounts/sign-in-providers/sign-in-providers.mails.ts";
import { modelRequestMails } from "../catalogue/models/model-requests.mails.ts";
import { autoTopUpMails } from "../money/billing/credits/auto-top-ups.mails.ts";
import { disputeMails } from "../money/billing/disputes/disputes.mails.ts";
import { dunningMails } from "../money/billing/dunning/dunning.mails.ts";
import { invoiceMails } from "../money/billing/invoices/invoices.mails.ts";
import { portalMails } from "../money/billing/portal/portal.mails.ts";
import { reconciliationMails } from "../money/billing/reconciliation/reconciliation.mails.ts";
import { refundMails } from "../money/billing/refunds/refunds.mails.ts";
import { renewalMails } from "../money/billing/renewals/renewals.mails.ts";
import { subscriptionMails } from "../money/billing/subscriptions/subscriptions.mails.ts";
import { vatIdMails } from "../money/billing/vat/vat-ids.mails.ts";
import { budgetMails } from "../money/budgets/budgets.mails.ts";
import { marketplaceMails } from "../money/marketplace/marketplace.mails.ts";
import type { MailTemplate } from "../platform/mail/index.ts";
import { webhookMails } from "../platform/webhooks/webhooks.mails.ts";

/** The templates of all modules, in the order in which admins find them within their groups. */
export const MAIL_TEMPLATES = [
  ...accountMails,
  ...registrationMails,
  ...signInProviderMails,
  ...securityMails,
  ...organizationMails,
  ...budgetMails,
  ...webhookMails,
  ...applicationMails,
  ...modelRequestMails,
  ...invoiceMails,
  ...portalMails,
  ...renewalMails,
  ...dunningMails,
  ...subscriptionMails,
  ...vatIdMails,
  ...refundMails,
  ...autoTopUpMails,
  ...marketplaceMails,
  ...peopleMails,
  ...disputeMails,
  ...reconciliationMails,
] as const satisfies readonly MailTemplate[];
