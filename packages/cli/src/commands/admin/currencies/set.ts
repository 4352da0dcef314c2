import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { isSet } from "../../../flags.ts";
import { CURRENCY_FIELDS } from "./list.ts";

/** A currency, its units for one US dollar, and whether it becomes the default. */
export type CurrenciesSetOptions = {
  readonly code: string;
  readonly units_per_usd: string;
  readonly is_default?: true;
};

/** Switches a currency on, or sets its rate. */
export const currenciesSet: Command<CurrenciesSetOptions> = {
  name: "admin currencies set",
  summary: "Switch a currency on, or set its rate",
  description:
    "The rate is yours: none is fetched. It holds for what is sold from then on; invoices and payments keep the rate at which they were made.",
  arguments: [
    { name: "<code>", summary: "code of the currency, such as EUR" },
    { name: "<rate>", summary: "units of it for one US dollar, such as 0.92" },
  ],
  flags: [{ name: "--default", summary: "for organizations that have not chosen and bought nothing" }],
  prints: "one",
  fields: CURRENCY_FIELDS,
  needs: "admin",
  examples: ["feather admin currencies set EUR 0.92", "feather admin currencies set JPY 150.25 --default"],
  options: ([code = "", units_per_usd = ""], flags) => ({
    code: parseCode(code),
    units_per_usd: parseRate(units_per_usd),
    ...(isSet(flags, "default") && { is_default: true as const }),
  }),
  async run({ client, output, signal }, { code, ...rate }) {
    const currency = await (await client()).admin.currencies.set(code, rate, { signal });
    output.printChange({
      value: currency,
      id: currency.code,
      message: `${currency.units_per_usd} ${currency.code} are 1 USD for what is sold from now on.`,
    });
  },
};

/** Parses the code of a currency. Throws `UsageError`. */
export function parseCode(text: string): string {
  const code = text.toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) throw new UsageError("a currency is a code of three letters", "EUR");
  return code;
}

function parseRate(text: string): string {
  if (!/^(?=.*[1-9])(0|[1-9]\d{0,4}|100000)(\.\d{1,8})?$/.test(text))
    throw new UsageError("a rate is a decimal above 0 and at most 100000", "0.92");
  return text;
}
