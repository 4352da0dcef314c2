import { bind } from "../../../platform/core/bind.ts";
import { AppError, errors } from "../../../platform/core/errors/index.ts";
import { formatMoney } from "../../currencies/index.ts";
import { amountRow, type Html, html, testNotice } from "../../documents/index.ts";
import type { Card, TestDriver } from "../../payment-services/index.ts";
import { formatDate } from "../../quotes/index.ts";
import type { PaymentMethodRow } from "../billing-rows.ts";
import type { InvoiceRow, InvoicesRepository } from "../invoices/invoices.repository.ts";
import type { PaymentMethodUseCases } from "../payments/payment-methods.usecases.ts";
import type { PaymentRow, PaymentUseCases } from "../payments/payments.usecases.ts";
import { purchaseOf } from "../subscriptions/purchases.ts";
import type { Checkout, CheckoutSessionRow } from "./checkout.ts";
import type { Portal, PortalSessionRow } from "./portal.ts";

/** The fields that the forms of these pages send. */
export type PageForm = {
  card?: string | undefined;
  decision?: "approve" | "refuse" | undefined;
  make_default?: string | undefined;
  remove?: string | undefined;
};
/** A rendered page. */
export type Page = { title: string; body: Html };
type SubmitResult = Page | { to: string };

type Deps = {
  checkout: Checkout;
  portal: Portal;
  paymentMethods: PaymentMethodUseCases;
  invoicesRepository: InvoicesRepository;
  testDriver: TestDriver;
  payments: PaymentUseCases;
};

const PORTAL_INVOICE_LIMIT = 24;
const TEST_CARDS = [
  ["4000 0000 0000 0002", "is declined"],
  ["4000 0025 0000 3155", "is confirmed with the bank once"],
  ["4000 0027 6000 3184", "is confirmed with the bank at every payment"],
  ["4000 0000 0000 0341", "is declined when it is charged"],
] as const;

/** The pages that a payment service hosts: checkout, confirmation by the bank, and the customer portal. */
export function createTestPages(deps: Deps) {
  return bind(deps, { renderPage, submitPage });
}

async function renderPage(deps: Deps, token: string): Promise<Page> {
  const { checkout, portal, testDriver } = deps;
  const session = await checkout.findSession(token);
  if (session) return renderCheckout(deps, session, null);
  const portalSession = await portal.findSession(token);
  if (portalSession) return renderPortal(deps, portalSession, null);
  const payment = await testDriver.findAwaitingAuthentication(token);
  if (payment)
    return createPage(
      "Your bank asks",
      html`<p>Pay ${formatMoney(payment.amountCents, payment.currency)}?</p>${decisionForm(null)}`,
    );
  if (await testDriver.findSetupAwaitingAuthentication(token))
    return createPage("Your bank asks", html`<p>May this card be used here?</p>${decisionForm(null)}`);
  throw errors.testPayments.ended();
}

async function submitPage(deps: Deps, token: string, form: PageForm, ip: string): Promise<SubmitResult> {
  const { checkout, portal, paymentMethods, testDriver } = deps;
  const session = await checkout.findSession(token);
  if (session) return submitCheckout(deps, session, form, ip);
  const portalSession = await portal.findSession(token);
  if (portalSession) return submitPortal(deps, portalSession, form, ip);
  const approved = form.decision === "approve";
  if (await testDriver.findAwaitingAuthentication(token)) return confirmPayment(deps, token, approved);
  const setup = await testDriver.authenticateSetup(token, approved);
  if (setup === null) throw errors.testPayments.ended();
  if (approved) await paymentMethods.completeSetup(setup, ip);
  return { to: approved ? "/account/payment-method-added" : "/account/payment-methods" };
}

async function renderCheckout(
  { checkout }: Deps,
  session: CheckoutSessionRow,
  errorMessage: string | null,
): Promise<Page> {
  const { quote, plan, rate } = await checkout.quotePurchase(session);
  const { draft, nextInvoice } = quote;
  const toRow = (label: string, cents: number) => amountRow(label, formatMoney(cents, rate.currency));
  return createPage(
    `Check out: ${plan.name}`,
    html`${renderError(errorMessage)}
<table><tbody>${draft.lines.map((line) => toRow(line.description, line.amount_cents))}
${draft.discountCents > 0 ? toRow("Discount", -draft.discountCents) : null}
${draft.taxCents > 0 ? toRow("Tax", draft.taxCents) : null}</tbody>
<tfoot>${toRow("To be paid now", draft.totalCents)}</tfoot></table>
<p class="quiet">Next invoice: ${formatMoney(nextInvoice.totalCents, rate.currency)} on ${formatDate(nextInvoice.date)}.</p>
${cardForm("Pay")}`,
  );
}

async function renderPortal(
  { paymentMethods, invoicesRepository }: Deps,
  { organization_id }: PortalSessionRow,
  errorMessage: string | null,
): Promise<Page> {
  const [cards, invoices] = await Promise.all([
    paymentMethods.list(organization_id),
    invoicesRepository.list(organization_id, PORTAL_INVOICE_LIMIT, 0),
  ]);
  return createPage(
    "Cards and invoices",
    html`${renderError(errorMessage)}
<h2>Cards</h2>
<table><tbody>${cards.map(cardRow)}</tbody></table>
${cardForm("Add a card")}
<h2>Invoices</h2>
<table><tbody>${invoices.map(invoiceRow)}</tbody></table>
<p><a href="/account">Back to the site</a></p>`,
  );
}

/** Registers the entered card. Returns the card, or the page to show when it was declined or needs confirmation. */
async function setUpCard(
  { testDriver }: Deps,
  { card = "", decision }: PageForm,
  renderRefusal: (errorMessage: string) => Promise<Page>,
): Promise<Card | Page> {
  const number = card.replaceAll(/[\s-]/g, "");
  const result = await testDriver.readCard(number);
  if (result.kind === "declined") return renderRefusal(`The card was declined (${result.code}). Try another card.`);
  if (result.kind === "card" || decision === "approve") return result.card;
  if (decision === "refuse") return renderRefusal("Your bank did not let this card be used.");
  return createPage("Your bank asks", html`<p>May this card be used here?</p>${decisionForm(number)}`);
}

async function submitCheckout(
  deps: Deps,
  session: CheckoutSessionRow,
  form: PageForm,
  ip: string,
): Promise<SubmitResult> {
  const card = await setUpCard(deps, form, (errorMessage) => renderCheckout(deps, session, errorMessage));
  if ("body" in card) return card;
  try {
    await deps.checkout.buy(session, card, ip);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "test_payments.ended") throw error;
    const url = error.details?.url;
    if (error.code === "payments.authentication_required" && typeof url === "string")
      return { to: new URL(url).pathname };
    const retrySession = error.code === "subscription.trial_used" ? { ...session, trial: false } : session;
    return renderCheckout(deps, retrySession, error.message);
  }
  return { to: completionPath(session.plan_id, session.quantity) };
}

async function submitPortal(deps: Deps, portalSession: PortalSessionRow, form: PageForm, ip: string): Promise<Page> {
  const { paymentMethods } = deps;
  const buyer = {
    userId: portalSession.user_id,
    organizationId: portalSession.organization_id,
    credential: null,
    ip,
  };
  try {
    if (form.make_default !== undefined) await paymentMethods.makeDefault(buyer, form.make_default);
    else if (form.remove !== undefined) await paymentMethods.remove(buyer, form.remove);
    else {
      const card = await setUpCard(deps, form, (errorMessage) => renderPortal(deps, portalSession, errorMessage));
      if ("body" in card) return card;
      await paymentMethods.addCard(buyer, card);
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return renderPortal(deps, portalSession, error.message);
  }
  return renderPortal(deps, portalSession, null);
}

async function confirmPayment({ testDriver, payments }: Deps, token: string, approved: boolean): Promise<SubmitResult> {
  const event = await testDriver.authenticate(token, approved);
  if (!event) throw errors.testPayments.ended();
  await payments.handleEvent(event);
  const payment = await payments.find(event.paymentId);
  if (payment.outcome === "given_back") {
    await payments.refundOutstanding(event.paymentId);
    return createPage(
      "Given back",
      html`<p>${errors.subscription.changedMeanwhile().message} <a href="/account">Back to the site</a></p>`,
    );
  }
  if (approved) return { to: pathAfterPayment(payment) };
  return createPage("Not confirmed", html`<p>Nothing was charged. <a href="/pricing">Back to the site</a></p>`);
}

/** Returns the path of the site's page with the result of a change of plan. */
function completionPath(planId: string, quantity: number): string {
  return `/subscription/complete?${new URLSearchParams({ plan: planId, quantity: String(quantity) })}`;
}

function pathAfterPayment(payment: PaymentRow): string {
  if (payment.purpose !== "change") return "/account";
  const { selection } = purchaseOf(payment);
  return completionPath(selection.planId, selection.quantity);
}

function createPage(title: string, body: Html): Page {
  return { title: `TEST: ${title}`, body: html`${testNotice(true)}<h1>${title}</h1>${body}` };
}

function renderError(errorMessage: string | null): Html | null {
  return errorMessage === null ? null : html`<p class="fault" role="alert">${errorMessage}</p>`;
}

function cardForm(label: string): Html {
  return html`<form method="post">
<label>Test card<input name="card" inputmode="numeric" autocomplete="off" required maxlength="40" value="4242 4242 4242 4242"></label>
<button class="primary">${label}</button>
</form>
<details class="quiet"><summary>Other test cards</summary>
<table><tbody>${TEST_CARDS.map(([number, description]) => html`<tr><td>${number}</td><td>${description}</td></tr>`)}</tbody></table>
</details>`;
}

function decisionForm(card: string | null): Html {
  return html`<form method="post">
${card === null ? null : html`<input type="hidden" name="card" value="${card}">`}
<button class="primary" name="decision" value="approve">Confirm</button>
<button name="decision" value="refuse">Refuse</button>
</form>`;
}

function cardRow({ id, brand, last4, exp_month, exp_year, is_default }: PaymentMethodRow): Html {
  const action = is_default
    ? html`<span class="quiet">pays</span>`
    : html`<form method="post"><button name="make_default" value="${id}">Use</button></form>`;
  return html`<tr><td>${brand} ${last4}, until ${exp_month}/${exp_year}</td>
<td>${action}<form method="post"><button name="remove" value="${id}">Remove</button></form></td></tr>`;
}

function invoiceRow({ id, number, created_at, status, total_cents, currency }: InvoiceRow): Html {
  return html`<tr><td><a href="/api/invoices/${id}/page">${number}</a>, ${formatDate(created_at)}, ${status}</td>
<td>${formatMoney(total_cents, currency)}</td></tr>`;
}
