import { defineMailTemplate } from "../../../platform/mail/index.ts";

/** Asks whoever signed up to confirm their address. */
export const registrationConfirmationMail = defineMailTemplate({
  name: "registration_confirmation",
  kind: "email_verification",
  group: "sign_in",
  title: "Confirmation of a sign-up",
  description: "Sent to the address that somebody signed up with, while a mail server is set.",
  subject: "Confirm your e-mail for {{ product }}",
  text: [
    "Somebody signed up at {{ product }} with this address, {{#provider}}with {{ provider }}{{#provider_account}} (as {{ provider_account }}){{/provider_account}}{{/provider}}{{^provider}}with a password{{/provider}}, on {{ time }} from {{ ip }}.",
    "",
    "If that was you, {{#provider}}open the link in the browser in which you signed in{{/provider}}{{^provider}}open the link, and enter the password that you chose{{/provider}}:",
    "",
    "{{ link }}",
    "",
    "The link works once, within an hour. If that was not you, leave it be: nothing happens. If you get several such messages, open the one of your own sign-up.",
  ].join("\n"),
  variables: {
    link: {
      description: "Link that completes the sign-up.",
      sample: "{{ site }}/confirm-email?token=one_sample",
      required: true,
      secret: true,
    },
    provider: {
      description: "Sign-in provider that was used; none for a sign-up with a password.",
      sample: "GitHub",
      optional: true,
    },
    provider_account: {
      description: "Name of the account at the provider; none if the provider gave none.",
      sample: "Maria Rossi",
      optional: true,
    },
    time: { description: "When it was.", sample: "2026-11-28 09:12 UTC" },
    ip: { description: "IP address of the sign-up.", sample: "203.0.113.7" },
  },
});

/** Asks the owner of an account to confirm an address of it. */
export const addressConfirmationMail = defineMailTemplate({
  name: "address_confirmation",
  kind: "email_verification",
  group: "sign_in",
  title: "Confirmation of an address",
  description: "Sent to an address that the owner of an account wants to use for it, or asks to confirm again.",
  subject: "Confirm your e-mail for {{ product }}",
  text: [
    "On {{ time }} somebody asked to use this address for an account at {{ product }}.",
    "",
    "If that was you, open the link in a browser that is signed in to the account, or enter its password there:",
    "",
    "{{ link }}",
    "",
    "The link works once, within an hour. If that was not you, leave it be: nothing happens.",
  ].join("\n"),
  variables: {
    link: {
      description: "Link that confirms the address.",
      sample: "{{ site }}/confirm-email?token=one_sample",
      required: true,
      secret: true,
    },
    time: { description: "When it was asked for.", sample: "2026-11-28 09:12 UTC" },
  },
});

/** Tells the owner of an account that somebody wanted to use its address for another account. */
export const addressInUseMail = defineMailTemplate({
  name: "address_in_use",
  kind: "account_exists",
  group: "sign_in",
  title: "Address already in use",
  description: "Sent to the owner of an account when somebody wants to use its address for another account.",
  subject: "Your address at {{ product }}",
  text: "Somebody wanted to use this address for another account at {{ product }}. It belongs to your account, so nothing has changed.",
  variables: {},
});

/** Tells the old address of an account that it has another one. */
export const emailChangedMail = defineMailTemplate({
  name: "email_changed",
  kind: "email_changed",
  group: "sign_in",
  title: "Address changed",
  description: "Sent to the old address of an account when a new one is confirmed.",
  subject: "Your e-mail at {{ product }} was changed",
  text: "The e-mail address of your account is now {{ email }}. If that was not you, reset your password at once and write to the operator of this site: {{ site }}/reset-password",
  variables: { email: { description: "The new address.", sample: "maria@example.com" } },
});

/** Confirms that an account was deleted. */
export const accountDeletedMail = defineMailTemplate({
  name: "account_deleted",
  kind: "account_deleted",
  group: "sign_in",
  title: "Account deleted",
  description: "Sent to people who delete their account, while a mail server is set.",
  subject: "Your account at {{ product }} is gone",
  text: "Your account at {{ product }} and everything in it was deleted, as you asked.",
  variables: {},
});

/** Tells the owner of an account that its password was changed. */
export const passwordChangedMail = defineMailTemplate({
  name: "password_changed",
  kind: "password_changed",
  group: "sign_in",
  title: "Password changed",
  description: "Sent to the owner of an account when its password is changed or reset.",
  subject: "Your password at {{ product }} was changed",
  text: [
    "The password of your account was changed, and all other sessions were ended.",
    "{{#has_revoked}}",
    "",
    "{{/has_revoked}}",
    "{{#applications}}",
    "Applications that may no longer act for you: {{ applications }}",
    "{{/applications}}",
    "{{#keys}}",
    "API keys that no longer work: {{ keys }}",
    "{{/keys}}",
    "{{#deployments}}",
    "Deployments whose token no longer works: {{ deployments }}",
    "{{/deployments}}",
    "{{#providers}}",
    "Sign-in providers that were disconnected: {{ providers }}",
    "{{/providers}}",
    "{{#passkeys}}",
    "Passkeys that sign in only after your new password, until you have used them that way: {{ passkeys }}",
    "{{/passkeys}}",
    "{{#invitations}}",
    "Invitations of yours that were withdrawn: {{ invitations }}",
    "{{/invitations}}",
    "{{#second_factor_removed}}",
    "The second factor was removed: nobody had confirmed the address when it was set up.",
    "{{/second_factor_removed}}",
    "",
    "If that was not you, reset it at once: {{ site }}/reset-password",
  ].join("\n"),
  variables: {
    has_revoked: { description: "Whether anything else ended with the old password.", sample: true },
    applications: {
      description: "Applications that may no longer act for the person.",
      sample: "Roost",
      optional: true,
    },
    keys: { description: "API keys that no longer work.", sample: "CI, laptop", optional: true },
    deployments: { description: "Deployments whose token no longer works.", sample: "support-chat", optional: true },
    providers: { description: "Sign-in providers that were disconnected.", sample: "GitHub", optional: true },
    passkeys: { description: "Passkeys that need the new password once.", sample: "Phone", optional: true },
    invitations: {
      description: "Addresses whose invitations were withdrawn.",
      sample: "joe@example.com",
      optional: true,
    },
    second_factor_removed: { description: "Whether the second factor was removed.", sample: false },
  },
});

/** Carries the link that sets a new password. */
export const passwordResetMail = defineMailTemplate({
  name: "password_reset",
  kind: "password_reset",
  group: "sign_in",
  title: "Reset of a password",
  description: "Sent to people who ask for a new password, at most once a minute.",
  subject: "Reset your password at {{ product }}",
  text: [
    "Choose a new password here:",
    "",
    "{{ link }}",
    "",
    "The link works once, within an hour. The new password ends every session, disconnects sign-in providers{{#providers}} ({{ providers }}){{/providers}}, takes back what applications were allowed, and withdraws invitations that you sent; API keys and deployment tokens end too, unless you keep them. A second factor stays and is asked for; passkeys sign in only after the new password, until you have used them that way. If you did not ask for it, leave it be: your password stays as it is.",
  ].join("\n"),
  variables: {
    link: {
      description: "Link that sets a new password.",
      sample: "{{ site }}/reset-password?token=one_sample",
      required: true,
      secret: true,
    },
    providers: {
      description: "Sign-in providers that are connected; none if there are none.",
      sample: "GitHub, Google",
      optional: true,
    },
  },
});

/** The templates of mails about accounts. */
export const accountMails = [
  registrationConfirmationMail,
  addressConfirmationMail,
  addressInUseMail,
  emailChangedMail,
  accountDeletedMail,
  passwordChangedMail,
  passwordResetMail,
] as const;
