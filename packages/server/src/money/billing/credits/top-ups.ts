import type { Audit } from "../../../platform/core/audit.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { type CurrencyRate, costOfUsdCents, formatMoney, USD, unitsPerUsdOf } from "../../currencies/index.ts";
import { draftSingleItemInvoice, type InvoiceDraft } from "../../quotes/index.ts";
import type { Taxes, TaxOf } from "../../taxes/index.ts";
import { amountTooSmall } from "../billing.errors.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { Buyer } from "../buyer.ts";
import type { InvoicesRepository } from "../invoices/invoices.repository.ts";
import type { Postings } from "../invoices/postings.ts";
import { isTooSmall } from "../invoices/small-amounts.ts";
import type { PaymentHandlers, PaymentRow, PaymentUseCases } from "../payments/payments.usecases.ts";
import { type TopUp, topUpSchema, toStoredTopUp } from "../stored.schemas.ts";
import { type MinChargeCents, refuseOtherCurrency } from "../subscriptions/pricing.ts";
import type { AutoTopUpHandlers } from "./auto-top-up-handlers.ts";

type HandlerDeps = {
  billingRepository: BillingRepository;
  invoicesRepository: InvoicesRepository;
  postings: Postings;
  audit: Audit;
  isTest: boolean;
  autoTopUpHandlers: AutoTopUpHandlers;
};

/** Handles payments of top-ups: a success creates the invoice and grants the credits. */
export function createTopUpHandlers({
  billingRepository,
  invoicesRepository,
  postings,
  audit,
  isTest,
  autoTopUpHandlers,
}: HandlerDeps): PaymentHandlers {
  return {
    async succeeded({ id, organization_id, amount_cents, currency, minor_per_usd, purchase }, trx) {
      const { userId, origin, creditCents, draft } = topUpSchema.parse(purchase);
      const organizationExists = await billingRepository.keepExisting(organization_id, trx);
      const invoice = organizationExists
        ? await invoicesRepository.create(
            {
              organizationId: organization_id,
              kind: "top_up",
              draft,
              status: "paid",
              creditCents,
              rate: { currency, minor_per_usd },
              isTest,
            },
            trx,
          )
        : null;
      if (!invoice) {
        await trx
          .updateTable("payments")
          .set({ outcome: "given_back", refund_target_cents: amount_cents })
          .where("id", "=", id)
          .execute();
        return;
      }
      const outcome = await postings.recordPaidInvoice(invoice, trx);
      await trx.updateTable("payments").set({ invoice_id: invoice.id, outcome }).where("id", "=", id).execute();
      const details = { invoice: invoice.number, amount_usd_cents: creditCents };
      await audit.record(
        { userId, organizationId: organization_id, ...origin, action: "credits.top_up", target: invoice.id, details },
        trx,
      );
    },
    ...autoTopUpHandlers,
  };
}

type Deps = {
  billingRepository: BillingRepository;
  payments: PaymentUseCases;
  ids: Ids;
  taxes: Taxes;
  minChargeCents: MinChargeCents;
  refuseWhilePaymentsOff(): void;
};

/** Drafts the invoice of credits worth `usdCents` US cents, which cost what the rate says. */
export function draftTopUp(usdCents: number, taxOf: TaxOf, rate: CurrencyRate): InvoiceDraft {
  const { currency } = rate;
  const description =
    currency === USD
      ? "Credits"
      : `Credits worth ${formatMoney(usdCents, USD)}, at ${unitsPerUsdOf(rate)} ${currency} for 1 ${USD}`;
  return draftSingleItemInvoice(description, costOfUsdCents(usdCents, rate), taxOf);
}

/** The credits to buy, in US cents, the currency and the card that pay. */
type TopUpOrder = {
  buyer: Buyer;
  cents: number;
  rate: CurrencyRate;
  cardId: string;
  isAutomatic: boolean;
  idempotencyId?: string;
};

/** Stores the payment of a top-up. Returns null when one with the same idempotency key exists. */
export async function createTopUpPayment(
  { payments, ids, taxes }: Pick<Deps, "payments" | "ids" | "taxes">,
  { buyer, cents, rate, cardId, isAutomatic, idempotencyId }: TopUpOrder,
  trx: Database,
): Promise<PaymentRow | null> {
  const { organizationId, userId, credential, ip } = buyer;
  const { taxOf } = await taxes.findTaxation(organizationId, rate.currency, trx);
  const draft = draftTopUp(cents, taxOf, rate);
  await taxes.claim(draft, trx);
  const topUp: TopUp = { userId, origin: { credential, ip }, creditCents: cents, draft };
  return payments.create(
    {
      id: ids.next("pay"),
      organization_id: organizationId,
      purpose: "top_up",
      amount_cents: draft.totalCents,
      ...rate,
      payment_method_id: cardId,
      idempotency_id: idempotencyId ?? null,
      is_automatic: isAutomatic,
      purchase: toStoredTopUp(topUp),
    },
    trx,
  );
}

/** The credits to buy, in US cents, and the currency of the price that the client saw, if it says so. */
export type TopUpRequest = { cents: number; currency?: string | undefined };

/** Returns a function that buys credits. */
export function createTopUp(deps: Deps) {
  const { billingRepository, payments, taxes, minChargeCents, refuseWhilePaymentsOff } = deps;
  async function startPayment(
    buyer: Buyer,
    { cents, currency }: TopUpRequest,
    idempotencyId: string | undefined,
  ): Promise<PaymentRow> {
    return taxes.transact(async (trx) => {
      const { rate } = await billingRepository.lockState(buyer.organizationId, trx);
      refuseOtherCurrency(currency, rate);
      const cost = costOfUsdCents(cents, rate);
      if (isTooSmall(cost, minChargeCents(rate))) throw amountTooSmall(cost, minChargeCents(rate), rate.currency);
      const card = await billingRepository.findDefaultCard(buyer.organizationId, trx);
      if (!card) throw errors.paymentMethods.required("Add a card first.");
      const order = {
        buyer,
        cents,
        rate,
        cardId: card.id,
        isAutomatic: false,
        ...(idempotencyId && { idempotencyId }),
      };
      const payment = await createTopUpPayment(deps, order, trx);
      if (!payment) throw errors.payments.pending();
      return payment;
    });
  }

  /** Charges the default card once per idempotency key. Returns the id of the credit transaction. */
  return async (buyer: Buyer, request: TopUpRequest, idempotencyId?: string): Promise<string> => {
    refuseWhilePaymentsOff();
    const earlierPayment =
      idempotencyId === undefined ? undefined : await payments.findByIdempotencyId(idempotencyId, "top_up");
    const payment = await payments.collect(earlierPayment ?? (await startPayment(buyer, request, idempotencyId)));
    if (payment.outcome === null) throw new Error(`The payment ${payment.id} brought no credits.`);
    return payment.outcome;
  };
}
