import { defineMailTemplate } from "../mail/index.ts";

/** Tells the admins of an organization that one of its endpoints was disabled. */
export const webhookDisabledMail = defineMailTemplate({
  name: "webhook_disabled",
  kind: "webhook_disabled",
  group: "organization",
  title: "Webhook endpoint disabled",
  description: "Sent to the admins of an organization when a webhook endpoint of it is disabled.",
  subject: "{{ product }}: a webhook endpoint was disabled",
  text: [
    "{{ product }} sends no more events to the webhook endpoint at {{ host }}{{#endpoint_description}} ({{ endpoint_description }}){{/endpoint_description}}. {{#is_gone}}It responded with 410, which says that it wants no more events.{{/is_gone}}{{#is_failing}}No delivery to it has succeeded for 5 days.{{/is_failing}}{{#has_no_permission}}An application made or changed it, and may no longer act for the user who allowed it.{{/has_no_permission}}",
    "",
    "Events that happen while it is disabled are not sent later. Its failed deliveries can be replayed once it is enabled.",
    "",
    "To enable it: {{ site }}/account/organization/webhooks",
  ].join("\n"),
  variables: {
    host: { description: "Host of the endpoint's address.", sample: "hooks.example.com" },
    endpoint_description: {
      description: "Description of the endpoint, if it has one.",
      sample: "Deployments",
      optional: true,
    },
    is_gone: { description: "Whether the endpoint wants no more events.", sample: false },
    is_failing: { description: "Whether all deliveries failed for days.", sample: true },
    has_no_permission: { description: "Whether the application that made it may no longer act.", sample: false },
  },
});

/** The templates of mails about webhooks. */
export const webhookMails = [webhookDisabledMail] as const;
