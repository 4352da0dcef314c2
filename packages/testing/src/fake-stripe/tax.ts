import { invalid, missing } from "./errors.ts";
import { nestedOf, type Params, textOf } from "./form.ts";
import { getObject, type Store } from "./store.ts";

/** The address and the tax ids that a calculation is about. */
export type TaxCustomer = {
  address: { country: string; postal_code: string | null; city: string | null; line1: string | null };
  address_source: "billing";
  ip_address: null;
  tax_ids: { type: string; value: string }[];
  taxability_override: "none";
};
type Jurisdiction = {
  country: string;
  display_name: string;
  level: "country" | "state" | "county";
  state: string | null;
};
type LineBreakdown = {
  amount: number;
  jurisdiction: Jurisdiction;
  sourcing: "destination";
  tax_rate_details: { display_name: string; percentage_decimal: string; tax_type: "vat" | "sales_tax" } | null;
  taxability_reason: "standard_rated" | "reverse_charge" | "not_collecting";
  taxable_amount: number;
};
/** A line of a calculation. */
export type TaxLineItem = {
  id: string;
  object: "tax.calculation_line_item";
  amount: number;
  amount_tax: number;
  livemode: boolean;
  quantity: number;
  reference: string;
  tax_behavior: "exclusive";
  tax_code: string;
  tax_breakdown: LineBreakdown[];
};
/** A calculation of tax. `line_items` is there where a request expands it. */
export type TaxCalculation = {
  id: string;
  object: "tax.calculation";
  amount_total: number;
  currency: string;
  customer: null;
  customer_details: TaxCustomer;
  expires_at: number;
  livemode: boolean;
  tax_amount_exclusive: number;
  tax_amount_inclusive: number;
  tax_breakdown: object[];
  tax_date: number;
};
/** Tax that was reported, or that part of it is taken back. `total` is the amount with tax, which Stripe gives by line. */
export type TaxTransaction = {
  id: string;
  object: "tax.transaction";
  created: number;
  currency: string;
  customer: null;
  customer_details: TaxCustomer;
  livemode: boolean;
  metadata: object;
  posted_at: number;
  reference: string;
  reversal: { original_transaction: string } | null;
  tax_date: number;
  type: "transaction" | "reversal";
};

const EXPIRES_AFTER_S = 90 * 24 * 60 * 60;
const DEFAULT_CODE = "txcd_10000000";
/** Where the account is registered: the rate of a country, and those of the levels of a place in the United States. */
const VAT: Readonly<Record<string, { percent: string; name: string; country: string }>> = {
  DE: { percent: "19.0", name: "Umsatzsteuer (USt.)", country: "Germany" },
  FR: { percent: "20.0", name: "Taxe sur la valeur ajoutée (TVA)", country: "France" },
  GB: { percent: "20.0", name: "Value-added tax (VAT)", country: "United Kingdom" },
};
const SALES_TAX = [
  { percent: "6.25", name: "California", level: "state" },
  { percent: "1.0", name: "San Mateo County", level: "county" },
] as const;
/** In whose country the account is, so that a tax id there changes nothing. */
const HOME = "DE";

/** `POST /v1/tax/calculations`: tax on top of one line, from the address and the tax ids. */
export function createTaxCalculation(store: Store, params: Params): object {
  const lines = nestedOf(params, "line_items");
  const line = nestedOf(lines, "0");
  if (Object.keys(lines).length !== 1) throw invalid("line_items", "The stand-in takes one line.");
  const amount = Number(textOf(line, "amount"));
  if (!Number.isInteger(amount) || amount < 0) throw invalid("line_items[0][amount]", "Invalid non-negative integer");
  const code = textOf(line, "tax_code") ?? DEFAULT_CODE;
  if (!/^txcd_\d{8}$/.test(code)) throw invalid("line_items[0][tax_code]", `No such tax code: ${code}`);
  const customer = readCustomer(nestedOf(params, "customer_details"));
  const breakdown = breakDown(amount, customer);
  const tax = breakdown.reduce((sum, one) => sum + one.amount, 0);
  const calculation: TaxCalculation = {
    id: store.nextId("taxcalc"),
    object: "tax.calculation",
    amount_total: amount + tax,
    currency: textOf(params, "currency") ?? "",
    customer: null,
    customer_details: customer,
    expires_at: store.seconds() + EXPIRES_AFTER_S,
    livemode: false,
    tax_amount_exclusive: tax,
    tax_amount_inclusive: 0,
    tax_breakdown: breakdown.map(toSummary),
    tax_date: store.seconds(),
  };
  store.taxCalculations.set(calculation.id, calculation);
  const item: TaxLineItem = {
    id: store.nextId("tax_li"),
    object: "tax.calculation_line_item",
    amount,
    amount_tax: tax,
    livemode: false,
    quantity: 1,
    reference: textOf(line, "reference") ?? "L1",
    tax_behavior: "exclusive",
    tax_code: code,
    tax_breakdown: breakdown,
  };
  const isExpanded = Object.values(nestedOf(params, "expand")).includes("line_items.data.tax_breakdown");
  const { tax_breakdown, ...withoutBreakdown } = item;
  const data = [isExpanded ? { ...withoutBreakdown, tax_breakdown } : withoutBreakdown];
  return {
    ...calculation,
    line_items: { object: "list", url: `/v1/tax/calculations/${calculation.id}/line_items`, has_more: false, data },
  };
}

/** `POST /v1/tax/transactions/create_from_calculation` */
export function createTaxTransaction(store: Store, params: Params): TaxTransaction {
  const id = textOf(params, "calculation") ?? "";
  const calculation = getObject(store.taxCalculations, "tax calculation", id, "calculation");
  if (calculation.expires_at <= store.seconds()) throw missing("tax calculation", id, "calculation");
  return saveTransaction(
    store,
    params,
    { ...calculation, reversal: null, type: "transaction" },
    calculation.amount_total,
  );
}

/** `POST /v1/tax/transactions/create_reversal` */
export function reverseTaxTransaction(store: Store, params: Params): TaxTransaction {
  const id = textOf(params, "original_transaction") ?? "";
  const original = getObject(store.taxTransactions, "tax transaction", id, "original_transaction");
  const left = leftOf(store, original);
  const amount = textOf(params, "mode") === "full" ? -left : Number(textOf(params, "flat_amount"));
  if (!Number.isInteger(amount) || amount === 0 || Math.abs(amount) > Math.abs(left))
    throw invalid("flat_amount", "The amount is more than what is left of the original transaction.");
  return saveTransaction(
    store,
    params,
    { ...original, reversal: { original_transaction: id }, type: "reversal" },
    amount,
  );
}

/** Returns what is left of a transaction after its reversals, and what is left of these. */
function leftOf(store: Store, { id }: TaxTransaction): number {
  const reversals = [...store.taxTransactions.values()].filter((one) => one.reversal?.original_transaction === id);
  return reversals.reduce((sum, one) => sum + leftOf(store, one), totalOf(store, id));
}

/** Returns the amount of a transaction, with tax. */
export function totalOf({ taxTotals }: Store, id: string): number {
  return taxTotals.get(id) ?? 0;
}

function saveTransaction(
  store: Store,
  params: Params,
  {
    currency,
    customer_details,
    tax_date,
    reversal,
    type,
  }: Pick<TaxTransaction, "currency" | "customer_details" | "tax_date" | "reversal" | "type">,
  total: number,
): TaxTransaction {
  const reference = textOf(params, "reference") ?? "";
  if (reference === "") throw invalid("reference", "Missing required param: reference.", "parameter_missing");
  if ([...store.taxTransactions.values()].some((one) => one.reference === reference))
    throw invalid(
      "reference",
      `A transaction with the reference ${reference} already exists.`,
      "resource_already_exists",
    );
  const transaction: TaxTransaction = {
    id: store.nextId("tax"),
    object: "tax.transaction",
    created: store.seconds(),
    currency,
    customer: null,
    customer_details,
    livemode: false,
    metadata: nestedOf(params, "metadata"),
    posted_at: store.seconds(),
    reference,
    reversal,
    tax_date,
    type,
  };
  store.taxTransactions.set(transaction.id, transaction);
  store.taxTotals.set(transaction.id, total);
  return transaction;
}

function readCustomer(details: Params): TaxCustomer {
  const address = nestedOf(details, "address");
  const country = textOf(address, "country");
  const postal_code = textOf(address, "postal_code") ?? null;
  if (country === undefined || (country === "US" && postal_code === null))
    throw invalid(
      "customer_details[address]",
      "We could not determine the customer's tax location based on the provided customer address.",
      "customer_tax_location_invalid",
    );
  return {
    address: { country, postal_code, city: textOf(address, "city") ?? null, line1: textOf(address, "line1") ?? null },
    address_source: "billing",
    ip_address: null,
    tax_ids: Object.values(nestedOf(details, "tax_ids")).map((one) => {
      const fields = typeof one === "string" ? {} : one;
      return { type: textOf(fields, "type") ?? "", value: textOf(fields, "value") ?? "" };
    }),
    taxability_override: "none",
  };
}

function breakDown(amount: number, { address: { country }, tax_ids }: TaxCustomer): LineBreakdown[] {
  const taxed = (percent: string, name: string, type: "vat" | "sales_tax", jurisdiction: Jurisdiction) => ({
    amount: Math.round((amount * Number(percent)) / 100),
    jurisdiction,
    sourcing: "destination" as const,
    tax_rate_details: { display_name: name, percentage_decimal: percent, tax_type: type },
    taxability_reason: "standard_rated" as const,
    taxable_amount: amount,
  });
  if (country === "US")
    return SALES_TAX.map(({ percent, name, level }) =>
      taxed(percent, "Sales Tax", "sales_tax", { country, display_name: name, level, state: "CA" }),
    );
  const rate = VAT[country];
  const jurisdiction = { country, display_name: rate?.country ?? country, level: "country" as const, state: null };
  if (rate && (country === HOME || !tax_ids.some(({ type }) => type === "eu_vat")))
    return [taxed(rate.percent, rate.name, "vat", jurisdiction)];
  return [
    {
      amount: 0,
      jurisdiction,
      sourcing: "destination",
      tax_rate_details: rate ? { display_name: rate.name, percentage_decimal: "0.0", tax_type: "vat" } : null,
      taxability_reason: rate ? "reverse_charge" : "not_collecting",
      taxable_amount: rate ? amount : 0,
    },
  ];
}

function toSummary({
  amount,
  jurisdiction,
  tax_rate_details,
  taxability_reason,
  taxable_amount,
}: LineBreakdown): object {
  return {
    amount,
    inclusive: false,
    tax_rate_details: {
      country: jurisdiction.country,
      flat_amount: null,
      percentage_decimal: tax_rate_details?.percentage_decimal ?? "0.0",
      rate_type: tax_rate_details ? "percentage" : null,
      state: jurisdiction.state,
      tax_type: tax_rate_details?.tax_type ?? null,
    },
    taxability_reason,
    taxable_amount,
  };
}
