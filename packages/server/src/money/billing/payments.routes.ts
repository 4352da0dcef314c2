import type { Clock } from "../../platform/core/clock.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import { type Credits, type CreditsRepository, toCreditBalanceDto, toCreditTransactionDto } from "../credits/index.ts";
import { type BillingDocument, documentPage, sendPage, sendPdf } from "../documents/index.ts";
import { toAdminCouponDto, toAdminInvoiceDto, toInvoiceDto, toPaymentMethodDto } from "./billing.dto.ts";
import type { Billing } from "./billing.ts";
import { toBuyer } from "./buyer.ts";
import { eInvoiceFormat, sendUbl } from "./documents/e-invoices.ts";
import { toInvoiceDocument } from "./documents/invoice-document.ts";
import type { InvoiceRow } from "./invoices/invoices.repository.ts";
import { toEndedPlanDto } from "./subscriptions/ended-plan.dto.ts";

type Deps = { billing: Billing; credits: Credits; creditsRepository: CreditsRepository; clock: Clock };

/** Routes of cards, invoices, top-ups, refunds and the coupons of admins. */
export function paymentRoutes(deps: Deps): Handlers {
  return { ...paymentMethodRoutes(deps), ...invoiceRoutes(deps), ...topUpRoutes(deps), ...couponRoutes(deps) };
}

/** Routes of an organization's cards. */
function paymentMethodRoutes({ billing: { paymentMethods, servicePortal, isTest } }: Deps): Handlers {
  return {
    "paymentMethods.list": async ({ actor }) => ({
      items: (await paymentMethods.list(actor.organizationId)).map(toPaymentMethodDto),
    }),
    "paymentMethods.makeDefault": async ({ actor, path }) =>
      toPaymentMethodDto(await paymentMethods.makeDefault(toBuyer(actor), path.id)),
    "paymentMethods.delete": async ({ actor, path }) => {
      await paymentMethods.remove(toBuyer(actor), path.id);
      return undefined;
    },
    "paymentMethods.openPortal": async ({ actor }) => ({
      url: await servicePortal.open(toBuyer(actor)),
      is_test: isTest,
    }),
    "paymentMethods.setupIntents.create": async ({ actor }) => {
      const { id, clientSecret, url } = await paymentMethods.createSetupIntent(toBuyer(actor));
      return { id, client_secret: clientSecret, url, status: "requires_payment_method", is_test: isTest };
    },
    "paymentMethods.setupIntents.confirm": async ({ actor, path, body }) =>
      toPaymentMethodDto(await paymentMethods.confirm(toBuyer(actor), path.id, body?.test_card ?? null)),
  };
}

/** Routes of an organization's invoices, and of the invoices and refunds of admins. */
function invoiceRoutes({ billing }: Deps): Handlers {
  const { invoicesRepository, dunning, refunds, searchInvoices, productName, documentSettings } = billing;
  const toDto = (row: InvoiceRow) => toInvoiceDto(row, eInvoiceFormat(row, documentSettings));

  return {
    "invoices.list": async ({ actor, query }) => {
      const { organizationId } = actor;
      const page = parsePage(query);
      const [rows, total] = await Promise.all([
        invoicesRepository.list(organizationId, page.limit, page.offset),
        invoicesRepository.count(organizationId),
      ]);
      return { items: rows.map(toDto), pagination: toPagination(page, total) };
    },
    "invoices.get": async ({ actor, path }) => toDto(await getInvoice(billing, actor.organizationId, path.id)),
    "invoices.page": async ({ actor, path, reply }) => {
      const document = await getInvoiceDocument(billing, actor.organizationId, path.id);
      return sendPage(reply, `${document.number} - ${productName}`, documentPage(document));
    },
    "invoices.pdf": async ({ actor, path, reply }) =>
      sendPdf(reply, await getInvoiceDocument(billing, actor.organizationId, path.id)),
    "invoices.xml": async ({ actor, path, reply }) =>
      sendUbl(reply, await getInvoiceDocument(billing, actor.organizationId, path.id)),
    "invoices.pay": async ({ actor, path, request }) =>
      toDto(await dunning.pay(actor.organizationId, path.id, request.idempotencyId)),
    "admin.invoices.list": async ({ query }) => {
      const page = parsePage(query);
      const { rows, total } = await searchInvoices(query, page.limit, page.offset);
      return {
        items: rows.map((row) => toAdminInvoiceDto(row, eInvoiceFormat(row, documentSettings))),
        pagination: toPagination(page, total),
      };
    },
    "admin.invoices.refund": async ({ actor, path, body, request }) =>
      toDto(
        await refunds.refund(
          actor,
          path.id,
          { cents: body?.amount_cents ?? null, endPlan: body?.end_plan },
          request.idempotencyId,
        ),
      ),
    "admin.invoices.previewRefund": async ({ path }) => {
      const { currency, remainingCents, refundableCents, endedPlan } = await refunds.preview(path.id);
      return {
        currency,
        left_cents: remainingCents,
        refundable_cents: refundableCents,
        ended_plan: endedPlan && toEndedPlanDto(endedPlan),
      };
    },
  };
}

async function getInvoice({ invoicesRepository }: Billing, organizationId: string, id: string) {
  const invoice = await invoicesRepository.find(organizationId, id);
  if (!invoice) throw errors.invoices.notFound();
  return invoice;
}

async function getInvoiceDocument(billing: Billing, organizationId: string, id: string): Promise<BillingDocument> {
  const invoice = await getInvoice(billing, organizationId, id);
  return toInvoiceDocument(invoice, await billing.creditNotesRepository.listOfInvoice(id), billing.documentSettings);
}

/** Routes of top-ups. */
function topUpRoutes({ billing: { topUp, isTest }, credits, creditsRepository }: Deps): Handlers {
  return {
    "credits.topUp": async ({ actor, body, request }) => {
      const buyer = toBuyer(actor);
      const id = await topUp(buyer, { cents: body.amount_usd_cents, currency: body.currency }, request.idempotencyId);
      const [balance, transaction] = await Promise.all([
        credits.balance(buyer.organizationId),
        creditsRepository.transaction(buyer.organizationId, id),
      ]);
      if (!transaction) throw new Error(`The top-up ${id} is not in the ledger.`);
      return {
        balance: toCreditBalanceDto(balance),
        transaction: toCreditTransactionDto(transaction),
        is_test: isTest,
      };
    },
  };
}

/** Routes of the coupons of admins. */
function couponRoutes({ billing: { couponAdministration }, clock }: Deps): Handlers {
  return {
    "admin.coupons.list": async () => {
      const now = clock.now();
      return { items: (await couponAdministration.list()).map((row) => toAdminCouponDto(row, now)) };
    },
    "admin.coupons.create": async ({ actor, body }) =>
      toAdminCouponDto(await couponAdministration.create(actor, body), clock.now()),
    "admin.coupons.update": async ({ actor, path, body }) =>
      toAdminCouponDto(await couponAdministration.update(actor, path.code, body), clock.now()),
    "admin.coupons.delete": async ({ actor, path }) => {
      await couponAdministration.end(actor, path.code);
      return undefined;
    },
  };
}
