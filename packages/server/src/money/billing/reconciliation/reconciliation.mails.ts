import { defineMailTemplate } from "../../../platform/mail/index.ts";

/** Tells admins that payments here and at the payment service differ. */
export const paymentsDifferMail = defineMailTemplate({
  name: "payments_differ",
  kind: "payments_differ",
  group: "operations",
  title: "Payments differ",
  description:
    "Sent to the admins of this site when the daily comparison with the payment service finds new differences.",
  subject: "{{ product }}: payments differ from the payment service",
  text: [
    "Payments here and at the payment service were compared, and differ:",
    "",
    "{{ differences }}",
    "",
    "All of them: {{ site }}/admin/settings",
  ].join("\n"),
  variables: {
    differences: {
      description: "The payments that differ, and in what, in a line each.",
      sample: "- pay_sample has another amount ($20.00 at the service, $25.00 here).",
      required: true,
    },
  },
});

/** The templates of mails about the comparison of payments. */
export const reconciliationMails = [paymentsDifferMail] as const;
