import { defineMailTemplate } from "../../../platform/mail/index.ts";

/** Says that VIES does not know the VAT id of an organization any more. */
export const vatIdInvalidMail = defineMailTemplate({
  name: "vat_id_invalid",
  kind: "vat_id_invalid",
  group: "billing",
  title: "VAT id is not valid",
  description: "Sent to the billing contact of an organization when VIES says that its VAT id is not valid.",
  subject: "{{ product }}: your VAT id is not valid",
  text: [
    "VIES, the register of the EU, says that your VAT id {{ vat_id }} is not valid.",
    "From now on tax is added to your invoices. Those that exist stay as they are.",
    "",
    "If the id is right, ask your tax office to register it for trade within the EU, then save it again:",
    "{{ site }}/account#billing-details",
  ].join("\n"),
  variables: {
    vat_id: { description: "The VAT id.", sample: "FR32123456789" },
  },
});

/** The templates of mails about VAT ids. */
export const vatIdMails = [vatIdInvalidMail] as const;
