import type { BillingDetails } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { DetailView } from "../../output/index.ts";

/** Fields that `--json` accepts. */
export const BILLING_FIELDS = [
  "name",
  "address",
  "country",
  "vat_id",
  "email",
  "currency",
] as const satisfies readonly (keyof BillingDetails)[];

/** Shows to whom the organization's invoices are written. */
export const organizationBilling: Command<Record<never, never>> = {
  name: "organization billing",
  summary: "Show name, address, VAT id and currency of your invoices",
  prints: "one",
  fields: BILLING_FIELDS,
  needs: "sign-in",
  examples: ["feather organization billing", "feather organization billing --json vat_id"],
  options: () => ({}),
  async run({ output, client, signal }) {
    output.printDetails(DETAIL_VIEW, await (await client()).organization.billingDetails.get({ signal }));
  },
};

const DETAIL_VIEW: DetailView<BillingDetails> = {
  id: ({ name }) => name ?? "",
  lines: ({ name, address, country, vat_id, email, currency }) => [
    ["name", name ?? "that of the organization", (text, style) => style.bold(text)],
    ["address", address?.replaceAll("\n", ", ") ?? "not set"],
    ["country", country ?? "not set"],
    ["VAT id", vat_id ?? "not set"],
    ["receipts", email ?? "to the admin who joined first"],
    ["currency", currency],
  ],
};
