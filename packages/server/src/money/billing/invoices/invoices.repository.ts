import type { Insertable, Selectable } from "kysely";
import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Invoices } from "../../../platform/core/db/schema.generated.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { type CurrencyRate, findRate } from "../../currencies/index.ts";
import { type TaxLine, taxCalculationSchema } from "../../payment-services/index.ts";
import type { InvoiceDraft, InvoiceLine } from "../../quotes/index.ts";
import {
  type BillingDetails,
  type BillingDetailsRepository,
  isReverseCharge as owesTax,
  type Taxes,
} from "../../taxes/index.ts";
import type { BillingRepository, Contact } from "../billing.repository.ts";
import type { BillingSettings } from "../billing.settings.ts";
import { type BilledTo, invoiceLinesSchema } from "../stored.schemas.ts";
import { nextDocumentNumber } from "./document-numbers.ts";

/** A row of the table of invoices. */
export type InvoiceRow = Selectable<Invoices>;

/** An invoice to be created; its number is assigned by the repository. */
export type NewInvoice = {
  organizationId: string;
  kind: "period" | "change" | "top_up";
  draft: Omit<InvoiceDraft, "carriedCents" | "valueCents">;
  status: "open" | "paid";
  subscriptionId?: string;
  planId?: string;
  quantity?: number;
  period?: { start: Date; end: Date };
  couponCode?: string | null;
  /** The currency, at the rate at which it is made. */
  rate: CurrencyRate;
  /** Credits, in US cents, that are granted once the invoice is paid. */
  creditCents?: number;
  isTest: boolean;
};

type Context = {
  db: Database;
  billingRepository: BillingRepository;
  billingDetailsRepository: BillingDetailsRepository;
  taxes: Taxes;
  clock: Clock;
  ids: Ids;
  settings: Pick<BillingSettings, "seller" | "invoiceNumbers">;
  log: Pick<Logger, "warn">;
};

/** Reads and writes invoices. */
export function createInvoicesRepository(context: Context) {
  return {
    ...bind(context, {
      create: createInvoice,
      find: findInvoice,
      list: listInvoices,
      count: countInvoices,
    }),
    lock: lockInvoice,
  };
}

export type InvoicesRepository = ReturnType<typeof createInvoicesRepository>;

function invoicesOf({ db }: Context, organizationId: string) {
  return db.selectFrom("invoices").where("organization_id", "=", organizationId);
}

/** Creates an invoice with the next number. Returns null when the period is invoiced already. */
async function createInvoice(context: Context, invoice: NewInvoice, trx: Database): Promise<InvoiceRow | null> {
  const { billingRepository, billingDetailsRepository, taxes, clock, ids, settings } = context;
  const { organizationId, draft, status, period, isTest } = invoice;
  if (invoice.kind === "period" && (await isPeriodInvoiced(invoice, trx))) return null;
  const now = clock.now();
  const contact = await billingRepository.findContact(organizationId, trx);
  const details = await billingDetailsRepository.find(organizationId, trx);
  const { isReverseCharge, check } = await taxes.findTaxation(organizationId, invoice.rate.currency, trx);
  const calculation = draft.taxCalculation;
  const values: Insertable<Invoices> = {
    id: ids.next("inv"),
    organization_id: organizationId,
    number: await nextDocumentNumber(
      settings.invoiceNumbers,
      { organizationId, kind: "invoice", issuedAt: now, isTest },
      trx,
    ),
    kind: invoice.kind,
    status,
    currency: invoice.rate.currency,
    minor_per_usd: invoice.rate.minor_per_usd,
    ...(await findTaxCurrency(context, invoice.rate.currency, trx)),
    subscription_id: invoice.subscriptionId ?? null,
    plan_id: invoice.planId ?? null,
    quantity: invoice.quantity ?? null,
    period_start_date: period?.start ?? null,
    period_end_date: period?.end ?? null,
    lines: JSON.stringify(draft.lines),
    subtotal_cents: draft.subtotalCents,
    discount_cents: draft.discountCents,
    tax_percent: draft.taxPercent ?? null,
    tax_cents: draft.taxCents,
    reverse_charge: calculation ? owesTax(calculation) : draft.taxPercent === 0 && isReverseCharge,
    tax_calculation: calculation ? JSON.stringify(calculation) : null,
    vat_id_state: check.state === "unchecked" ? null : check.state,
    vat_id_answered_at: check.answeredAt,
    vat_id_consultation_number: check.consultationNumber,
    total_cents: draft.totalCents,
    credit_cents: invoice.creditCents ?? 0,
    coupon_code: invoice.couponCode ?? null,
    billed_to: JSON.stringify(toBilledTo(contact, details)),
    seller: settings.seller ? JSON.stringify(settings.seller) : null,
    is_test: isTest,
    next_attempt_at: status === "open" ? now : null,
    created_at: now,
    paid_at: status === "paid" ? now : null,
  };
  return trx.insertInto("invoices").values(values).returningAll().executeTakeFirstOrThrow();
}

/** Returns the currency in which the seller declares taxes, at its present rate, if it is another than the invoice's. */
async function findTaxCurrency(
  { settings, log }: Context,
  currency: string,
  trx: Database,
): Promise<Pick<Insertable<Invoices>, "tax_currency" | "tax_minor_per_usd">> {
  const taxCurrency = settings.seller?.tax_currency;
  if (taxCurrency === undefined || taxCurrency === currency) return {};
  const rate = await findRate(taxCurrency, trx);
  if (rate) return { tax_currency: rate.currency, tax_minor_per_usd: rate.minor_per_usd };
  log.warn(
    { tax_currency: taxCurrency },
    "an invoice does not say its tax in tax_currency of FEATHER_SELLER: it has no rate",
  );
  return {};
}

function toBilledTo(contact: Contact | null, details: BillingDetails): BilledTo {
  const { name, address, postalCode, city, country, vatId, buyerReference, email } = details;
  return {
    name: name ?? contact?.name ?? "",
    email: email ?? contact?.email ?? "",
    address,
    postal_code: postalCode,
    city,
    country,
    vat_id: vatId,
    buyer_reference: buyerReference,
  };
}

function findInvoice(context: Context, organizationId: string, id: string): Promise<InvoiceRow | undefined> {
  return invoicesOf(context, organizationId).selectAll().where("id", "=", id).executeTakeFirst();
}

function listInvoices(context: Context, organizationId: string, limit: number, offset: number): Promise<InvoiceRow[]> {
  return invoicesOf(context, organizationId)
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("number", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

async function countInvoices(context: Context, organizationId: string): Promise<number> {
  const { count } = await invoicesOf(context, organizationId)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

function lockInvoice(id: string, trx: Database): Promise<InvoiceRow> {
  return trx.selectFrom("invoices").selectAll().where("id", "=", id).forUpdate().executeTakeFirstOrThrow();
}

async function isPeriodInvoiced({ subscriptionId, period }: NewInvoice, trx: Database): Promise<boolean> {
  if (subscriptionId === undefined || period === undefined) return false;
  const row = await trx
    .selectFrom("invoices")
    .select("id")
    .where("kind", "=", "period")
    .where("subscription_id", "=", subscriptionId)
    .where("period_start_date", "=", period.start)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the taxes of an invoice that a tax service calculated; empty where the tax is a rate of the settings. */
export function taxLinesOf({ tax_calculation }: Pick<InvoiceRow, "tax_calculation">): TaxLine[] {
  return tax_calculation === null ? [] : taxCalculationSchema.parse(tax_calculation).lines;
}

/** Returns the lines of an invoice. */
export function linesOf({ lines }: InvoiceRow): InvoiceLine[] {
  return invoiceLinesSchema.parse(lines);
}
