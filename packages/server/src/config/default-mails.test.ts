import { expect, test } from "vitest";
import type { MailTemplate } from "../platform/mail/mail-template.ts";
import { renderTemplate, type TemplateValues, toSampleValues } from "../platform/mail/template-syntax.ts";
import { MAIL_TEMPLATES } from "./mail-templates.ts";

const COMMON = { product: "Feather", site: "https://feather.example" };

/** The subject and the lines of each mail in its default words, with the values of its samples. */
const WITH_SAMPLES: Readonly<Record<string, readonly string[]>> = {
  registration_confirmation: [
    "Confirm your e-mail for Feather",
    "Somebody signed up at Feather with this address, with GitHub (as Maria Rossi), on 2026-11-28 09:12 UTC from 203.0.113.7.",
    "",
    "If that was you, open the link in the browser in which you signed in:",
    "",
    "https://feather.example/confirm-email?token=one_sample",
    "",
    "The link works once, within an hour. If that was not you, leave it be: nothing happens. If you get several such messages, open the one of your own sign-up.",
  ],
  address_confirmation: [
    "Confirm your e-mail for Feather",
    "On 2026-11-28 09:12 UTC somebody asked to use this address for an account at Feather.",
    "",
    "If that was you, open the link in a browser that is signed in to the account, or enter its password there:",
    "",
    "https://feather.example/confirm-email?token=one_sample",
    "",
    "The link works once, within an hour. If that was not you, leave it be: nothing happens.",
  ],
  address_in_use: [
    "Your address at Feather",
    "Somebody wanted to use this address for another account at Feather. It belongs to your account, so nothing has changed.",
  ],
  email_changed: [
    "Your e-mail at Feather was changed",
    "The e-mail address of your account is now maria@example.com. If that was not you, reset your password at once and write to the operator of this site: https://feather.example/reset-password",
  ],
  account_deleted: [
    "Your account at Feather is gone",
    "Your account at Feather and everything in it was deleted, as you asked.",
  ],
  password_changed: [
    "Your password at Feather was changed",
    "The password of your account was changed, and all other sessions were ended.",
    "",
    "Applications that may no longer act for you: Roost",
    "API keys that no longer work: CI, laptop",
    "Deployments whose token no longer works: support-chat",
    "Sign-in providers that were disconnected: GitHub",
    "Passkeys that sign in only after your new password, until you have used them that way: Phone",
    "Invitations of yours that were withdrawn: joe@example.com",
    "",
    "If that was not you, reset it at once: https://feather.example/reset-password",
  ],
  password_reset: [
    "Reset your password at Feather",
    "Choose a new password here:",
    "",
    "https://feather.example/reset-password?token=one_sample",
    "",
    "The link works once, within an hour. The new password ends every session, disconnects sign-in providers (GitHub, Google), takes back what applications were allowed, and withdraws invitations that you sent; API keys and deployment tokens end too, unless you keep them. A second factor stays and is asked for; passkeys sign in only after the new password, until you have used them that way. If you did not ask for it, leave it be: your password stays as it is.",
  ],
  account_exists: [
    "You have an account at Feather already",
    "Somebody, perhaps you, tried to sign up at Feather with this address. You have an account already: log in at https://feather.example/login, or choose a new password at https://feather.example/reset-password. If it was not you, nothing has changed.",
  ],
  account_approved: [
    "Your account at Feather was approved",
    "Your account at Feather was approved. Log in: https://feather.example/login",
  ],
  account_refused: [
    "Your request for an account at Feather was refused",
    "Your request for an account at Feather was refused, and what you entered was deleted.",
    "",
    "Reason: We do not know you.",
  ],
  platform_invitation: [
    "You are invited to Feather",
    "You are invited to Feather. Make your account here:",
    "",
    "https://feather.example/register?invitation=one_sample",
    "",
    "The link works once, for seven days, and only for this address. If you expected no invitation, ignore this message.",
  ],
  approval_requested: [
    "An account waits for approval at Feather",
    "joe@example.com has made an account and waits to be let in. See who waits: https://feather.example/admin/users?status=pending",
    "",
    "You get at most one such message an hour.",
  ],
  provider_connected: [
    "GitHub was connected to your account at Feather",
    "Your account can now be signed in to with GitHub (maria@example.com).",
    "",
    "If that was not you, reset your password at once: https://feather.example/reset-password",
  ],
  provider_disconnected: [
    "GitHub was disconnected from your account at Feather",
    "Your account can no longer be signed in to with GitHub.",
    "",
    "If that was not you, reset your password at once: https://feather.example/reset-password",
  ],
  second_factor_added: [
    "A second factor was set up for your account at Feather",
    "From now on logging in to your account also asks for a code. All other sessions were ended.",
    "",
    "If that was not you, reset your password at once: https://feather.example/reset-password",
  ],
  second_factor_removed: [
    "The second factor of your account was switched off at Feather",
    "Logging in to your account no longer asks for a code of your authenticator app. All other sessions were ended.",
    "",
    "If that was not you, reset your password at once: https://feather.example/reset-password",
  ],
  passkey_added: [
    "A passkey was added to your account at Feather",
    'The passkey "Phone" can sign in to your account from now on, and logging in with a password also asks for a second factor. All other sessions were ended.',
    "",
    "If that was not you, reset your password at once: https://feather.example/reset-password",
  ],
  passkey_removed: [
    "A passkey was removed from your account at Feather",
    'The passkey "Phone" can no longer sign in to your account. All other sessions were ended.',
    "",
    "If that was not you, reset your password at once: https://feather.example/reset-password",
  ],
  second_factor_reset: [
    "The second factor of your account was reset at Feather",
    "An admin took the second factor of your account away, with all passkeys, and ended its sessions. Reason: You lost your phone.",
    "",
    "Set up a new one when you log in.",
    "",
    "If that was not you, reset your password at once: https://feather.example/reset-password",
  ],
  organization_invitation: [
    "Join Acme on Feather",
    "You are invited to join Acme on Feather.",
    "",
    "Accept with the account of joe@example.com: https://feather.example/invitations/one_sample",
    "",
    "The link works once, for seven days. If you expected no invitation, ignore this message.",
  ],
  budget_warning: [
    "Feather: the budget of Maria in Acme has reached 80 %",
    "The budget of Maria in Acme has reached 80 %: $80.00 of $100.00 are spent.",
    "",
    "Calls that could exceed it are refused.",
    "",
    "It resets at 2026-12-01T00:00:00.000Z.",
    "",
    "To see or change it: https://feather.example/account/organization",
  ],
  budget_reached: [
    "Feather: the budget of Maria in Acme is used up",
    "The budget of Maria in Acme is used up: $80.00 of $100.00 are spent.",
    "",
    "Calls for which too little of it is left are refused until it resets or is raised.",
    "",
    "It resets at 2026-12-01T00:00:00.000Z.",
    "",
    "To see or change it: https://feather.example/account/organization",
  ],
  budget_refused: [
    "Feather: the budget of Maria in Acme refused a call",
    "The budget of Maria in Acme refused a call: $80.00 of $100.00 are spent.",
    "",
    "The call could have cost more than what is left. Calls for which too little of it is left are refused until it resets or is raised.",
    "",
    "It resets at 2026-12-01T00:00:00.000Z.",
    "",
    "To see or change it: https://feather.example/account/organization",
  ],
  webhook_disabled: [
    "Feather: a webhook endpoint was disabled",
    "Feather sends no more events to the webhook endpoint at hooks.example.com (Deployments). No delivery to it has succeeded for 5 days.",
    "",
    "Events that happen while it is disabled are not sent later. Its failed deliveries can be replayed once it is enabled.",
    "",
    "To enable it: https://feather.example/account/organization/webhooks",
  ],
  application_reviewed: ["Your application Roost", 'An admin of Feather has set your application "Roost" to: active.'],
  model_available: [
    "Qwen/Qwen3-8B runs at Feather",
    "You asked for Qwen/Qwen3-8B. It can be called now: https://feather.example/models/Qwen/Qwen3-8B",
    "",
    "Talk to it: https://feather.example/chat?model=Qwen%2FQwen3-8B",
  ],
  receipt: [
    "Feather: receipt F-2026-0001",
    "Thank you. This is the receipt for invoice F-2026-0001.",
    "",
    "Pro, 1 month: $20.00",
    "Discount: -$5.00",
    "Tax: $2.85",
    "Paid: $17.85",
    "",
    "https://feather.example/api/invoices/inv_sample/page",
  ],
  credit_note: [
    "Feather: credit note C-2026-0001",
    "This is the credit note C-2026-0001: $17.85 of invoice F-2026-0001 are given back.",
    "Tax in it: $2.85",
    "",
    "https://feather.example/api/credit-notes/note_sample/page",
  ],
  trial_ending: [
    "Feather: your trial of Pro ends soon",
    "Your trial of Pro ends on 2026-12-01.",
    "Then $20.00 a month is charged to the card that ends in 4242, less coupons and what is kept for you, plus tax.",
    "If you do not want that, cancel before: https://feather.example/account",
  ],
  renewal_ahead: [
    "Feather: Pro is renewed soon",
    "Your plan Pro is renewed on 2026-12-01 for another year.",
    "Then $20.00 a month is charged to the card that ends in 4242, less coupons and what is kept for you, plus tax.",
    "If you do not want that, cancel before: https://feather.example/account",
  ],
  card_expiring: [
    "Feather: your card expires soon",
    "The card that ends in 4242 pays for your plan Pro, and expires at the end of 12/2026.",
    "Add another card before, so that the plan goes on: https://feather.example/account/payment-methods",
  ],
  cards_removed: [
    "Feather: Pro has no card any more",
    "The card that ends in 4242 was removed at the payment service, and no other card pays for your plan Pro.",
    "The plan is charged next on 1 Dec 2026. Add another card: https://feather.example/account/payment-methods",
    "If you do not want the plan any more, cancel it: https://feather.example/account",
  ],
  tax_address: [
    "Feather: your address is needed to renew Pro",
    "Your plan Pro was to be renewed on 1 Dec 2026. The tax depends on your address, which is missing or not complete.",
    "Enter country and postal code here, and the plan is renewed: https://feather.example/account#billing-details",
  ],
  other_currency: [
    "Feather: a payment was charged in another currency",
    "The payment pay_sample over €20.00 was charged in USD at the payment service.",
    "It is not posted here, and counts as failed. Give it back at the payment service.",
  ],
  vat_id_invalid: [
    "Feather: your VAT id is not valid",
    "VIES, the register of the EU, says that your VAT id FR32123456789 is not valid.",
    "From now on tax is added to your invoices. Those that exist stay as they are.",
    "",
    "If the id is right, ask your tax office to register it for trade within the EU, then save it again:",
    "https://feather.example/account#billing-details",
  ],
  payment_failed: [
    "Feather: invoice F-2026-0001 could not be paid",
    "Invoice F-2026-0001 over $20.00 could not be paid: the card was declined.",
    "Look after your card here: https://feather.example/account/payment-methods",
    "Unless it is paid before, it is tried again on 2026-12-01.",
  ],
  plan_ended: [
    "Feather: your plan Pro has ended",
    "Your plan Pro has ended, and you are on the free plan now. To start again: https://feather.example/pricing",
  ],
  price_change: [
    "Feather: the price of Pro changes",
    "The price of your plan Pro changes.",
    "",
    "Until now you pay $20.00 a month. From the first period that begins on 2026-12-28 or later you pay $25.00 a month.",
    "You need not do anything to go on. If you do not want to, change or cancel the plan before that:",
    "https://feather.example/account",
  ],
  plan_refunded: [
    "Feather: your plan Pro has ended",
    "$20.00 of invoice F-2026-0001 were given back, and your plan Pro ended with that. You are on the free plan now.",
    "$7.50 for time that you paid for besides and did not use are kept for your next invoices.",
    "",
    "To start again: https://feather.example/pricing",
  ],
  refund_failed: [
    "Feather: a refund failed",
    "A refund of $20.00 of invoice F-2026-0001 failed: the bank of the card did not take it.",
    "The money is on your account at the payment service, and the invoice counts as paid again. Credits were granted again.",
    "Give it back in another way, or try it again.",
  ],
  auto_top_up_paused: [
    "Feather: the automatic top-up is paused",
    "Credits could not be bought automatically: the card was declined.",
    "",
    "Nothing is bought until you switch it on again. Calls are refused when the credits are used up.",
    "",
    "Look after your card here: https://feather.example/account/payment-methods",
    "",
    "Then switch it on again: https://feather.example/account#credits",
  ],
  auto_top_up_confirmation: [
    "Feather: confirm the automatic top-up",
    "Credits were to be bought automatically, and your bank wants you to confirm it.",
    "",
    "Confirm the payment here: https://payments.example.com/confirm/sample",
    "",
    "Without a confirmation within a day, the automatic top-up is paused.",
  ],
  auto_top_up_limit: [
    "Feather: the automatic top-up has reached its limit",
    "The credits are low. Another automatic payment would exceed your limit of $100.00 a month, so none is made.",
    "",
    "Calls are refused when the credits are used up.",
    "",
    "Raise the limit, or buy credits: https://feather.example/account#credits",
  ],
  purchase_ended: [
    "Feather: your purchase at AWS Marketplace has ended",
    "Your purchase at AWS Marketplace has ended. Its plan ends on 2026-12-01, and you are on the free plan then. To keep it, buy it again before.",
  ],
  plan_granted: [
    "Feather: you are on the plan Pro now",
    "An admin put your organization on the plan Pro × 2.",
    "It costs nothing and has no end date.",
    "Your plan Basic ended with that, and is not charged any more.",
    "You had paid for it until 2026-12-24. $12.50 of that is for time you did not use: it is kept for your next invoices.",
    "Together with what was kept before, that is $20.00.",
    "",
    "Your plan: https://feather.example/account",
  ],
  admin_added: [
    "A new admin at Feather",
    "ada@example.com has made maria@example.com an admin of Feather, from 203.0.113.7. If that was not meant to be, change it, and look at the audit log: https://feather.example/admin/users",
  ],
  admin_removed: [
    "One admin fewer at Feather",
    "ada@example.com has taken admin rights from maria@example.com of Feather, from 203.0.113.7. If that was not meant to be, change it, and look at the audit log: https://feather.example/admin/users",
  ],
  dispute_inquiry: [
    "Feather: a bank asks about a payment",
    "A bank asks about the payment of invoice F-2026-0001. It takes no money yet. Answer it at the payment service.",
    "Amount: $20.00. Fee: $15.00. Reason: fraudulent.",
    "Credits of $20.00 are frozen for the organization.",
  ],
  dispute_opened: [
    "Feather: a payment is disputed",
    "The payment of invoice F-2026-0001 is disputed by the holder of the card. Answer it at the payment service.",
    "Amount: $20.00. Fee: $15.00. Reason: fraudulent.",
    "Credits of $20.00 are frozen for the organization.",
  ],
  dispute_won: [
    "Feather: a disputed payment stays yours",
    "The dispute of invoice F-2026-0001 is closed, and the money stays yours. Frozen credits were released.",
    "Amount: $20.00. Fee: $15.00. Reason: fraudulent.",
  ],
  dispute_lost: [
    "Feather: a disputed payment was taken back",
    "The dispute of invoice F-2026-0001 is lost, and the bank has taken the money. The plan stays until you end it.",
    "Amount: $20.00. Fee: $15.00. Reason: fraudulent.",
    "Credits of $20.00 are taken from the organization.",
  ],
  payments_differ: [
    "Feather: payments differ from the payment service",
    "Payments here and at the payment service were compared, and differ:",
    "",
    "- pay_sample has another amount ($20.00 at the service, $25.00 here).",
    "",
    "All of them: https://feather.example/admin/settings",
  ],
};

/** The same without the values that are optional, where that makes a difference. */
const WITHOUT_OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  cards_removed: [
    "Feather: Pro has no card any more",
    "The card that ends in 4242 was removed at the payment service, and no other card pays for your plan Pro.",
    "Add another card: https://feather.example/account/payment-methods",
    "If you do not want the plan any more, cancel it: https://feather.example/account",
  ],
  registration_confirmation: [
    "Confirm your e-mail for Feather",
    "Somebody signed up at Feather with this address, with a password, on 2026-11-28 09:12 UTC from 203.0.113.7.",
    "",
    "If that was you, open the link, and enter the password that you chose:",
    "",
    "https://feather.example/confirm-email?token=one_sample",
    "",
    "The link works once, within an hour. If that was not you, leave it be: nothing happens. If you get several such messages, open the one of your own sign-up.",
  ],
  password_changed: [
    "Your password at Feather was changed",
    "The password of your account was changed, and all other sessions were ended.",
    "",
    "If that was not you, reset it at once: https://feather.example/reset-password",
  ],
  password_reset: [
    "Reset your password at Feather",
    "Choose a new password here:",
    "",
    "https://feather.example/reset-password?token=one_sample",
    "",
    "The link works once, within an hour. The new password ends every session, disconnects sign-in providers, takes back what applications were allowed, and withdraws invitations that you sent; API keys and deployment tokens end too, unless you keep them. A second factor stays and is asked for; passkeys sign in only after the new password, until you have used them that way. If you did not ask for it, leave it be: your password stays as it is.",
  ],
  account_refused: [
    "Your request for an account at Feather was refused",
    "Your request for an account at Feather was refused, and what you entered was deleted.",
  ],
  provider_connected: [
    "GitHub was connected to your account at Feather",
    "Your account can now be signed in to with GitHub.",
    "",
    "If that was not you, reset your password at once: https://feather.example/reset-password",
  ],
  budget_warning: [
    "Feather: the budget of Acme has reached 80 %",
    "The budget of Acme has reached 80 %: $80.00 of $100.00 are spent.",
    "",
    "Calls that could exceed it are refused.",
    "",
    "The budget does not reset.",
    "",
    "To see or change it: https://feather.example/account/organization",
  ],
  budget_reached: [
    "Feather: the budget of Acme is used up",
    "The budget of Acme is used up: $80.00 of $100.00 are spent.",
    "",
    "Calls for which too little of it is left are refused until it resets or is raised.",
    "",
    "The budget does not reset.",
    "",
    "To see or change it: https://feather.example/account/organization",
  ],
  budget_refused: [
    "Feather: the budget of Acme refused a call",
    "The budget of Acme refused a call: $80.00 of $100.00 are spent.",
    "",
    "The call could have cost more than what is left. Calls for which too little of it is left are refused until it resets or is raised.",
    "",
    "The budget does not reset.",
    "",
    "To see or change it: https://feather.example/account/organization",
  ],
  webhook_disabled: [
    "Feather: a webhook endpoint was disabled",
    "Feather sends no more events to the webhook endpoint at hooks.example.com. No delivery to it has succeeded for 5 days.",
    "",
    "Events that happen while it is disabled are not sent later. Its failed deliveries can be replayed once it is enabled.",
    "",
    "To enable it: https://feather.example/account/organization/webhooks",
  ],
  receipt: [
    "Feather: receipt F-2026-0001",
    "Thank you. This is the receipt for invoice F-2026-0001.",
    "",
    "Pro, 1 month: $20.00",
    "Paid: $17.85",
    "",
    "https://feather.example/api/invoices/inv_sample/page",
  ],
  credit_note: [
    "Feather: credit note C-2026-0001",
    "This is the credit note C-2026-0001: $17.85 of invoice F-2026-0001 are given back.",
    "",
    "https://feather.example/api/credit-notes/note_sample/page",
  ],
  trial_ending: [
    "Feather: your trial of Pro ends soon",
    "Your trial of Pro ends on 2026-12-01.",
    "Then $20.00 a month is charged, less coupons and what is kept for you, plus tax.",
    "If you do not want that, cancel before: https://feather.example/account",
  ],
  renewal_ahead: [
    "Feather: Pro is renewed soon",
    "Your plan Pro is renewed on 2026-12-01 for another year.",
    "Then $20.00 a month is charged, less coupons and what is kept for you, plus tax.",
    "If you do not want that, cancel before: https://feather.example/account",
  ],
  plan_refunded: [
    "Feather: your plan Pro has ended",
    "$20.00 of invoice F-2026-0001 were given back, and your plan Pro ended with that. You are on the free plan now.",
    "",
    "To start again: https://feather.example/pricing",
  ],
  refund_failed: [
    "Feather: a refund failed",
    "A refund of $20.00 of payment pay_sample failed: the bank of the card did not take it.",
    "The money is on your account at the payment service, and the invoice counts as paid again. Credits were granted again.",
    "Give it back in another way, or try it again.",
  ],
  auto_top_up_confirmation: [
    "Feather: confirm the automatic top-up",
    "Credits were to be bought automatically, and your bank wants you to confirm it.",
    "",
    "Buy credits here instead: https://feather.example/account#credits",
    "",
    "Without a confirmation within a day, the automatic top-up is paused.",
  ],
  plan_granted: [
    "Feather: you are on the plan Pro now",
    "An admin put your organization on the plan Pro × 2.",
    "It costs nothing and has no end date.",
    "",
    "Your plan: https://feather.example/account",
  ],
  admin_added: [
    "A new admin at Feather",
    "An admin has made maria@example.com an admin of Feather. If that was not meant to be, change it, and look at the audit log: https://feather.example/admin/users",
  ],
  admin_removed: [
    "One admin fewer at Feather",
    "An admin has taken admin rights from maria@example.com of Feather. If that was not meant to be, change it, and look at the audit log: https://feather.example/admin/users",
  ],
  dispute_inquiry: [
    "Feather: a bank asks about a payment",
    "A bank asks about the payment of payment pay_sample. It takes no money yet. Answer it at the payment service.",
    "Amount: $20.00. Fee: $15.00. Reason: fraudulent.",
  ],
  dispute_opened: [
    "Feather: a payment is disputed",
    "The payment of payment pay_sample is disputed by the holder of the card. Answer it at the payment service.",
    "Amount: $20.00. Fee: $15.00. Reason: fraudulent.",
  ],
  dispute_won: [
    "Feather: a disputed payment stays yours",
    "The dispute of payment pay_sample is closed, and the money stays yours. Frozen credits were released.",
    "Amount: $20.00. Fee: $15.00. Reason: fraudulent.",
  ],
  dispute_lost: [
    "Feather: a disputed payment was taken back",
    "The dispute of payment pay_sample is lost, and the bank has taken the money. The plan stays until you end it.",
    "Amount: $20.00. Fee: $15.00. Reason: fraudulent.",
  ],
};

function render(template: MailTemplate, values: TemplateValues): string[] {
  const { subject, text } = renderTemplate(template, values);
  return [subject, ...text.split("\n")];
}

function withoutOptional({ variables }: MailTemplate, values: TemplateValues): TemplateValues {
  const missing = Object.entries(variables).filter(([name, { optional }]) => optional || name === "has_revoked");
  return { ...values, ...Object.fromEntries(missing.map(([name, { optional }]) => [name, optional ? null : false])) };
}

const TEMPLATES: readonly MailTemplate[] = MAIL_TEMPLATES;

test.each(TEMPLATES.map((template) => [template.name, template] as const))(
  "the default words of %s",
  (name, template) => {
    const values = toSampleValues(template, COMMON);
    const samples = WITH_SAMPLES[name];
    expect(render(template, values)).toEqual(samples);
    expect(render(template, withoutOptional(template, values))).toEqual(WITHOUT_OPTIONAL[name] ?? samples);
  },
);
