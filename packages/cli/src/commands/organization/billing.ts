import type { BillingDetails } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { DetailLine, DetailView } from "../../output/index.ts";
import { formatDay } from "../../output/time.ts";

/** Fields that `--json` accepts. */
export const BILLING_FIELDS = [
  "name",
  "address",
  "postal_code",
  "city",
  "country",
  "vat_id",
  "vat_id_check",
  "buyer_reference",
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
  lines: ({ name, address, postal_code, city, country, vat_id, vat_id_check, buyer_reference, email, currency }) => [
    ["name", name ?? "that of the organization", (text, style) => style.bold(text)],
    ["address", address?.replaceAll("\n", ", ") ?? "not set"],
    ["city", [postal_code, city].filter((text) => text !== null).join(" ") || "not set"],
    ["country", country ?? "not set"],
    ["VAT id", vat_id ?? "not set"],
    ...describeCheck(vat_id_check),
    ["reference", buyer_reference ?? "not set"],
    ["receipts", email ?? "to the admin who joined first"],
    ["currency", currency],
  ],
};

/** Returns a line about what VIES has said; none where it is not asked. */
function describeCheck({ state, answered_at, consultation_number }: BillingDetails["vat_id_check"]): DetailLine[] {
  const day = answered_at === null ? "" : ` on ${formatDay(answered_at)}`;
  const number = consultation_number === null ? "" : `, consultation number ${consultation_number}`;
  const texts = {
    unchecked: null,
    checking: "being asked; tax is added until it says that the id is valid",
    valid: `valid${day}${number}`,
    invalid: `not valid${day}; tax is added`,
    unavailable: "does not answer, and is asked again; tax is added meanwhile",
  };
  const text = texts[state];
  return text === null ? [] : [["VIES", text]];
}
