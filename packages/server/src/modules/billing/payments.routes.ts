import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import type { Clock } from "../../shared/clock.ts";
import { presentBalance, presentTransaction } from "../credits/credits.present.ts";
import type { CreditsRepository } from "../credits/credits.repository.ts";
import type { Credits } from "../credits/credits.ts";
import { noSuchInvoice } from "./billing.errors.ts";
import {
  presentAdminCoupon,
  presentAdminInvoice,
  presentInvoice,
  presentPaymentMethod,
  presentSettlement,
} from "./billing.present.ts";
import type { Billing } from "./billing.ts";
import { invoicePage } from "./invoice-page.ts";
import { sendPage } from "./pages.ts";
import { toBuyer } from "./pricing.ts";

type Deps = { billing: Billing; credits: Credits; creditRows: CreditsRepository; clock: Clock };

/** Routes of cards, invoices, top-ups, refunds and the coupons of admins. */
export function paymentRoutes({ billing, credits, creditRows, clock }: Deps): Handlers {
  const {
    paymentMethods,
    invoices,
    collection,
    buyCredits,
    refunds,
    searchInvoices,
    couponAdministration,
    productName,
    isTest,
  } = billing;

  async function invoiceOf(organizationId: string, id: string) {
    const invoice = await invoices.find(organizationId, id);
    if (!invoice) throw noSuchInvoice();
    return invoice;
  }

  return {
    "paymentMethods.list": async ({ actor }) => ({
      items: (await paymentMethods.list(signedIn(actor).organizationId)).map(presentPaymentMethod),
    }),
    "paymentMethods.makeDefault": async ({ actor, path }) =>
      presentPaymentMethod(await paymentMethods.makeDefault(toBuyer(signedIn(actor)), path.id)),
    "paymentMethods.delete": async ({ actor, path }) => {
      await paymentMethods.remove(toBuyer(signedIn(actor)), path.id);
      return undefined;
    },
    "paymentMethods.setupIntents.create": async ({ actor }) => {
      const { id, clientSecret } = await paymentMethods.begin(toBuyer(signedIn(actor)));
      return { id, client_secret: clientSecret, status: "requires_payment_method", is_test: isTest };
    },
    "paymentMethods.setupIntents.confirm": async ({ actor, path, body }) =>
      presentPaymentMethod(await paymentMethods.confirm(toBuyer(signedIn(actor)), path.id, body?.test_card ?? null)),

    "invoices.list": async ({ actor, query }) => {
      const { organizationId } = signedIn(actor);
      const page = pageOf(query);
      const [rows, total] = await Promise.all([
        invoices.list(organizationId, page.limit, page.offset),
        invoices.count(organizationId),
      ]);
      return { items: rows.map(presentInvoice), pagination: pagination(page, total) };
    },
    "invoices.get": async ({ actor, path }) => presentInvoice(await invoiceOf(signedIn(actor).organizationId, path.id)),
    "invoices.page": async ({ actor, path, reply }) => {
      const invoice = await invoiceOf(signedIn(actor).organizationId, path.id);
      return sendPage(reply, `${invoice.number} - ${productName}`, invoicePage(invoice, productName));
    },
    "invoices.pay": async ({ actor, path, request }) =>
      presentInvoice(await collection.pay(signedIn(actor).organizationId, path.id, request.idempotencyId)),
    "admin.invoices.list": async ({ query }) => {
      const page = pageOf(query);
      const { rows, total } = await searchInvoices(query, page.limit, page.offset);
      return { items: rows.map(presentAdminInvoice), pagination: pagination(page, total) };
    },
    "admin.invoices.refund": async ({ actor, path, body, request }) =>
      presentInvoice(
        await refunds.refund(
          signedIn(actor),
          path.id,
          { cents: body?.amount_cents ?? null, endPlan: body?.end_plan },
          request.idempotencyId,
        ),
      ),
    "admin.invoices.previewRefund": async ({ path }) => {
      const { leftCents, refundableCents, endedPlan } = await refunds.preview(path.id);
      return {
        left_cents: leftCents,
        refundable_cents: refundableCents,
        ended_plan: endedPlan && presentSettlement(endedPlan),
      };
    },

    "credits.topUp": async ({ actor, body, request }) => {
      const buyer = toBuyer(signedIn(actor));
      const id = await buyCredits(buyer, body.amount_usd_cents, request.idempotencyId);
      const [balance, transaction] = await Promise.all([
        credits.balance(buyer.organizationId),
        creditRows.transaction(buyer.organizationId, id),
      ]);
      if (!transaction) throw new Error(`The top-up ${id} is not in the ledger.`);
      return { balance: presentBalance(balance), transaction: presentTransaction(transaction), is_test: isTest };
    },

    "admin.coupons.list": async () => {
      const now = clock.now();
      return { items: (await couponAdministration.list()).map((row) => presentAdminCoupon(row, now)) };
    },
    "admin.coupons.create": async ({ actor, body }) =>
      presentAdminCoupon(await couponAdministration.create(signedIn(actor), body), clock.now()),
    "admin.coupons.update": async ({ actor, path, body }) =>
      presentAdminCoupon(await couponAdministration.update(signedIn(actor), path.code, body), clock.now()),
    "admin.coupons.delete": async ({ actor, path }) => {
      await couponAdministration.end(signedIn(actor), path.code);
      return undefined;
    },
  };
}
