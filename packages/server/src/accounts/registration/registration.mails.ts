import { defineMailTemplate } from "../../platform/mail/index.ts";

/** Tells the owner of an account that somebody signed up with its address. */
export const accountExistsMail = defineMailTemplate({
  name: "account_exists",
  kind: "account_exists",
  group: "sign_in",
  title: "Sign-up with the address of an account",
  description: "Sent to the owner of an account when somebody signs up with its address.",
  subject: "You have an account at {{ product }} already",
  text: "Somebody, perhaps you, tried to sign up at {{ product }} with this address. You have an account already: log in at {{ site }}/login, or choose a new password at {{ site }}/reset-password. If it was not you, nothing has changed.",
  variables: {},
});

/** Tells admins that accounts wait for their approval. */
export const approvalRequestedMail = defineMailTemplate({
  name: "approval_requested",
  kind: "approval_requested",
  group: "operations",
  title: "Account waits for approval",
  description: "Sent to the admins of this site, at most once an hour, when accounts need their approval.",
  subject: "An account waits for approval at {{ product }}",
  text: "{{ email }} has made an account and waits to be let in. See who waits: {{ site }}/admin/users?status=pending\n\nYou get at most one such message an hour.",
  variables: { email: { description: "Address of the new account.", sample: "joe@example.com" } },
});

/** Tells people that their account was approved. */
export const accountApprovedMail = defineMailTemplate({
  name: "account_approved",
  kind: "account_approved",
  group: "sign_in",
  title: "Account approved",
  description: "Sent to people whose account an admin approves.",
  subject: "Your account at {{ product }} was approved",
  text: "Your account at {{ product }} was approved. Log in: {{ site }}/login",
  variables: {},
});

/** Tells people that their account was refused. */
export const accountRefusedMail = defineMailTemplate({
  name: "account_refused",
  kind: "account_refused",
  group: "sign_in",
  title: "Account refused",
  description: "Sent to people whose account an admin refuses.",
  subject: "Your request for an account at {{ product }} was refused",
  text: [
    "Your request for an account at {{ product }} was refused, and what you entered was deleted.",
    "{{#reason}}",
    "",
    "Reason: {{ reason }}",
    "{{/reason}}",
  ].join("\n"),
  variables: {
    reason: { description: "The reason that the admin gave, if any.", sample: "We do not know you.", optional: true },
  },
});

/** Invites somebody to the platform. */
export const platformInvitationMail = defineMailTemplate({
  name: "platform_invitation",
  kind: "invitation",
  group: "sign_in",
  title: "Invitation to this site",
  description: "Sent to people whom an admin invites to make an account.",
  subject: "You are invited to {{ product }}",
  text: [
    "You are invited to {{ product }}. Make your account here:",
    "",
    "{{ link }}",
    "",
    "The link works once, for seven days, and only for this address. If you expected no invitation, ignore this message.",
  ].join("\n"),
  variables: {
    link: {
      description: "Link to the sign-up.",
      sample: "{{ site }}/register?invitation=one_sample",
      required: true,
      secret: true,
    },
  },
});

/** The templates of mails about registration. */
export const registrationMails = [
  accountExistsMail,
  accountApprovedMail,
  accountRefusedMail,
  platformInvitationMail,
  approvalRequestedMail,
] as const;
