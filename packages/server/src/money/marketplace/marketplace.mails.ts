import { defineMailTemplate } from "../../platform/mail/index.ts";

/** Tells the billing contact that a purchase at a marketplace has ended. */
export const purchaseEndedMail = defineMailTemplate({
  name: "purchase_ended",
  kind: "subscription_ended",
  group: "billing",
  title: "Purchase at a marketplace ended",
  description: "Sent to the billing contact of an organization when its purchase ends and its plan ends later.",
  subject: "{{ product }}: your purchase at {{ marketplace }} has ended",
  text: "Your purchase at {{ marketplace }} has ended. Its plan ends on {{ end_date }}, and you are on the free plan then. To keep it, buy it again before.",
  variables: {
    marketplace: { description: "Name of the marketplace.", sample: "AWS Marketplace" },
    end_date: { description: "Day on which the plan ends.", sample: "2026-12-01" },
  },
});

/** The templates of mails about purchases at marketplaces. */
export const marketplaceMails = [purchaseEndedMail] as const;
