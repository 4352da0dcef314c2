import type { Stripe } from "stripe";
import { errors } from "../../../platform/core/errors/index.ts";
import { isInEu } from "../../../platform/core/eu-countries.ts";
import type { TaxCalculation, TaxLine } from "../tax-calculation.schemas.ts";
import type { TaxReportOutcome, TaxRequest, TaxService } from "../tax-service.ts";
import { fromStripeAmount, toCode, toStripeAmount } from "./stripe-amounts.ts";
import { asStripeError, type StripeDeps, toPendingError } from "./stripe-client.ts";

type Deps = StripeDeps & {
  /** Stripe's code of what is sold; undefined for the one that is set at Stripe. */
  taxCode: string | undefined;
};
type TaxIdType = Stripe.Tax.CalculationCreateParams.CustomerDetails.TaxId["type"];
type Breakdown = NonNullable<Stripe.Tax.CalculationLineItem["tax_breakdown"]>[number];

/** Types of VAT ids outside of the EU. Ids of other countries are not sent, since their type is not known. */
const TAX_ID_TYPES: Readonly<Record<string, TaxIdType>> = { GB: "gb_vat", CH: "ch_vat", NO: "no_vat" };
/** Northern Ireland has the prefix of the United Kingdom's protocol with the EU. */
const EU_IN_GB = /^XI/;

/** Creates the tax service that is Stripe Tax. */
export function createStripeTax(deps: Deps): TaxService {
  return {
    calculate: (request) => calculate(deps, request),
    report: ({ id, calculation }) =>
      send(deps, (stripe) =>
        stripe.tax.transactions.createFromCalculation({ calculation, reference: id }, { idempotencyKey: `tax:${id}` }),
      ),
    takeBack: ({ id, sale, cents, currency }) =>
      send(deps, (stripe) =>
        stripe.tax.transactions.createReversal(
          { mode: "partial", original_transaction: sale, flat_amount: -toStripeAmount(cents, currency), reference: id },
          { idempotencyKey: `tax:${id}` },
        ),
      ),
    undo: ({ id, takenBack }) =>
      send(deps, (stripe) =>
        stripe.tax.transactions.createReversal(
          { mode: "full", original_transaction: takenBack, reference: id },
          { idempotencyKey: `tax:${id}` },
        ),
      ),
  };
}

/** Asks for the tax on top of one line: discounts and credits cannot be lines of their own, since none may be below zero. */
async function calculate({ getStripe, taxCode, log }: Deps, request: TaxRequest): Promise<TaxCalculation> {
  const { buyer, currency, netCents } = request;
  if (buyer.country === null) throw errors.payments.taxAddress();
  const stripe = await getStripe();
  const line = { amount: toStripeAmount(netCents, currency), reference: "net", tax_behavior: "exclusive" } as const;
  try {
    const calculation = await stripe.tax.calculations.create({
      currency: currency.toLowerCase(),
      line_items: [{ ...line, ...(taxCode !== undefined && { tax_code: taxCode }) }],
      customer_details: { ...toCustomerDetails(buyer, buyer.country), address_source: "billing" },
      expand: ["line_items.data.tax_breakdown"],
    });
    return toCalculation(calculation);
  } catch (error) {
    if (asStripeError(error)?.code === "customer_tax_location_invalid") throw errors.payments.taxAddress();
    toPendingError(error, log);
    throw errors.payments.taxUnavailable();
  }
}

function toCustomerDetails({ address, postalCode, city, vatId }: TaxRequest["buyer"], country: string) {
  const type = vatId === null ? undefined : taxIdTypeOf(country, vatId);
  const [line1, line2] = (address ?? "").split("\n");
  return {
    address: {
      country,
      ...(postalCode !== null && { postal_code: postalCode }),
      ...(city !== null && { city }),
      ...(line1 && { line1 }),
      ...(line2 && { line2 }),
    },
    ...(type !== undefined && vatId !== null && { tax_ids: [{ type, value: vatId }] }),
  };
}

function taxIdTypeOf(country: string, vatId: string): TaxIdType | undefined {
  return isInEu(country) || EU_IN_GB.test(vatId) ? "eu_vat" : TAX_ID_TYPES[country];
}

function toCalculation({
  id,
  currency,
  tax_amount_exclusive: tax,
  line_items,
}: Stripe.Tax.Calculation): TaxCalculation {
  const breakdowns = (line_items?.data ?? []).flatMap(({ tax_breakdown }) => tax_breakdown ?? []);
  if (id === null) throw new Error("Stripe calculated a tax without an id.");
  return {
    reference: id,
    tax_cents: fromStripeAmount(tax, currency),
    lines: breakdowns.map((one) => toTaxLine(one, currency)),
  };
}

function toTaxLine(breakdown: Breakdown, currency: string): TaxLine {
  const {
    amount,
    jurisdiction,
    tax_rate_details: rate,
    taxability_reason: reason,
    taxable_amount: taxable,
  } = breakdown;
  return {
    name: rate?.display_name ?? "Tax",
    jurisdiction: jurisdiction.display_name,
    percent: rate === null ? null : Number(rate.percentage_decimal),
    taxable_cents: fromStripeAmount(taxable, toCode(currency)),
    tax_cents: fromStripeAmount(amount, toCode(currency)),
    reason,
  };
}

/** Sends a report. A request that Stripe finds invalid stays so, and is not repeated. */
async function send(
  { getStripe, log }: Deps,
  request: (stripe: Stripe) => Promise<{ id: string }>,
): Promise<TaxReportOutcome> {
  try {
    return { reference: (await request(await getStripe())).id };
  } catch (error) {
    const { type, code } = asStripeError(error) ?? {};
    if (type === "StripeInvalidRequestError") return { refused: code ?? "invalid_request" };
    throw toPendingError(error, log);
  }
}
