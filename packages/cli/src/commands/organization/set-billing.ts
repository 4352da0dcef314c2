import type { BillingDetailsUpdate } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { FlagValues } from "../../command-line.ts";
import { UsageError } from "../../errors.ts";
import { optionalText } from "../../flags.ts";
import { BILLING_FIELDS } from "./billing.ts";

/** Changes to whom the organization's invoices are written. */
export const organizationSetBilling: Command<BillingDetailsUpdate> = {
  name: "organization set-billing",
  summary: "Change name, address, VAT id and currency of your invoices",
  description:
    'An empty text ("") removes what was set. With VAT ids of seller and buyer from different countries of the EU, no tax is added. "feather organization billing" says whether VIES has found an id valid, where it is asked.',
  flags: [
    { name: "--name <name>", summary: "legal name" },
    {
      name: "--address <text>",
      summary: "lines of the address, separated by commas or line breaks, without the country",
    },
    { name: "--postal-code <code>", summary: "postal code" },
    { name: "--city <name>", summary: "city" },
    { name: "--country <code>", summary: "code of the country, such as DE" },
    { name: "--vat-id <id>", summary: "VAT id with the prefix of the country" },
    { name: "--reference <text>", summary: "what invoices are to name, such as a Leitweg-ID" },
    { name: "--currency <code>", summary: "in which you pay, such as EUR: feather subscription currencies" },
    { name: "--email <address>", summary: "address of accounting, to which receipts are sent" },
  ],
  prints: "one",
  fields: BILLING_FIELDS,
  needs: "sign-in",
  examples: [
    'feather organization set-billing --name "Plume SA" --address "Quai 1" --postal-code 75001 --city Paris --country FR --vat-id FR32123456789',
    "feather organization set-billing --email accounting@example.com",
    "feather organization set-billing --currency EUR",
  ],
  options: (_, flags) => {
    const address = textOrNull(flags, "address");
    const change: BillingDetailsUpdate = {
      ...optional("name", textOrNull(flags, "name")),
      ...optional("address", address?.replaceAll(/\s*,\s*/g, "\n") ?? address),
      ...optional("postal_code", textOrNull(flags, "postalCode")),
      ...optional("city", textOrNull(flags, "city")),
      ...optional("country", textOrNull(flags, "country")?.toUpperCase() ?? textOrNull(flags, "country")),
      ...optional("vat_id", textOrNull(flags, "vatId")),
      ...optional("buyer_reference", textOrNull(flags, "reference")),
      ...optional("email", textOrNull(flags, "email")),
      ...optionalText("currency", textOrNull(flags, "currency")?.toUpperCase()),
    };
    if (Object.keys(change).length === 0) throw new UsageError("Nothing to change", "--name, --address, --vat-id …");
    return change;
  },
  async run({ output, client, signal }, change) {
    const details = await (await client()).organization.billingDetails.update(change, { signal });
    output.printChange({ value: details, id: details.name ?? "", message: "The next invoices say so." });
  },
};

/** Returns the text of a flag: null when it is empty, undefined when it is not given. */
function textOrNull(flags: FlagValues, name: string): string | null | undefined {
  const value = flags[name];
  return typeof value === "string" ? value.trim() || null : undefined;
}

function optional<K extends string>(name: K, value: string | null | undefined): { [N in K]?: string | null } {
  return value === undefined ? {} : ({ [name]: value } as { [N in K]?: string | null });
}
