import { defineMailTemplate } from "../../platform/mail/index.ts";

/** Invites somebody to an organization. */
export const organizationInvitationMail = defineMailTemplate({
  name: "organization_invitation",
  kind: "invitation",
  group: "organization",
  title: "Invitation to an organization",
  description: "Sent to people whom a member invites to an organization.",
  subject: "Join {{ organization }} on {{ product }}",
  text: [
    "You are invited to join {{ organization }} on {{ product }}.",
    "",
    "Accept with the account of {{ email }}: {{ link }}",
    "",
    "The link works once, for seven days. If you expected no invitation, ignore this message.",
  ].join("\n"),
  variables: {
    organization: { description: "Name of the organization.", sample: "Acme" },
    email: { description: "Address that is invited.", sample: "joe@example.com" },
    link: {
      description: "Link that accepts the invitation.",
      sample: "{{ site }}/invitations/one_sample",
      required: true,
      secret: true,
    },
  },
});

/** The templates of mails about organizations. */
export const organizationMails = [organizationInvitationMail] as const;
