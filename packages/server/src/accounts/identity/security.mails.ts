import { defineMailTemplate } from "../../platform/mail/index.ts";

const SHARED = { kind: "account_security", group: "sign_in" } as const;
const WARNING = "If that was not you, reset your password at once: {{ site }}/reset-password";
const PASSKEY = { passkey: { description: "Name of the passkey.", sample: "Phone" } } as const;

/** Tells people that logging in to their account asks for a code. */
export const secondFactorAddedMail = defineMailTemplate({
  ...SHARED,
  name: "second_factor_added",
  title: "Second factor set up",
  description: "Sent to people who set up an authenticator app.",
  subject: "A second factor was set up for your account at {{ product }}",
  text: `From now on logging in to your account also asks for a code. All other sessions were ended.\n\n${WARNING}`,
  variables: {},
});

/** Tells people that logging in to their account no longer asks for a code. */
export const secondFactorRemovedMail = defineMailTemplate({
  ...SHARED,
  name: "second_factor_removed",
  title: "Second factor switched off",
  description: "Sent to people who switch their authenticator app off.",
  subject: "The second factor of your account was switched off at {{ product }}",
  text: `Logging in to your account no longer asks for a code of your authenticator app. All other sessions were ended.\n\n${WARNING}`,
  variables: {},
});

/** Tells people that a passkey was added to their account. */
export const passkeyAddedMail = defineMailTemplate({
  ...SHARED,
  name: "passkey_added",
  title: "Passkey added",
  description: "Sent to people who add a passkey.",
  subject: "A passkey was added to your account at {{ product }}",
  text: `The passkey "{{ passkey }}" can sign in to your account from now on, and logging in with a password also asks for a second factor. All other sessions were ended.\n\n${WARNING}`,
  variables: PASSKEY,
});

/** Tells people that a passkey was removed from their account. */
export const passkeyRemovedMail = defineMailTemplate({
  ...SHARED,
  name: "passkey_removed",
  title: "Passkey removed",
  description: "Sent to people who remove a passkey.",
  subject: "A passkey was removed from your account at {{ product }}",
  text: `The passkey "{{ passkey }}" can no longer sign in to your account. All other sessions were ended.\n\n${WARNING}`,
  variables: PASSKEY,
});

/** Tells people that an admin removed their second factors. */
export const secondFactorResetMail = defineMailTemplate({
  ...SHARED,
  name: "second_factor_reset",
  title: "Second factor reset by an admin",
  description: "Sent to people whose second factor an admin takes away.",
  subject: "The second factor of your account was reset at {{ product }}",
  text: `An admin took the second factor of your account away, with all passkeys, and ended its sessions. Reason: {{ reason }}\n\nSet up a new one when you log in.\n\n${WARNING}`,
  variables: { reason: { description: "The reason that the admin gave.", sample: "You lost your phone." } },
});

/** The templates of mails about the security of an account. */
export const securityMails = [
  secondFactorAddedMail,
  secondFactorRemovedMail,
  passkeyAddedMail,
  passkeyRemovedMail,
  secondFactorResetMail,
] as const;
