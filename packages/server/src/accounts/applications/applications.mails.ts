import { defineMailTemplate } from "../../platform/mail/index.ts";

/** Tells the developer of an application what an admin decided. */
export const applicationReviewedMail = defineMailTemplate({
  name: "application_reviewed",
  kind: "application_reviewed",
  group: "organization",
  title: "Application reviewed",
  description: "Sent to people whose application an admin gives another status.",
  subject: "Your application {{ application }}",
  text: 'An admin of {{ product }} has set your application "{{ application }}" to: {{ status }}.',
  variables: {
    application: { description: "Name of the application.", sample: "Roost" },
    status: { description: "The new status.", sample: "active" },
  },
});

/** The templates of mails about applications. */
export const applicationMails = [applicationReviewedMail] as const;
