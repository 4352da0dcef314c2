import { AppError } from "../../shared/errors.ts";
import { changedMeanwhile, pageEnded } from "./billing.errors.ts";
import type { PaymentMethodRow } from "./billing.repository.ts";
import { dollars } from "./bookkeeping.ts";
import type { Checkout, CheckoutRow } from "./checkout.ts";
import { amountRow, testNote } from "./invoice-page.ts";
import type { InvoiceRow, InvoicesRepository } from "./invoices.repository.ts";
import { type Html, html } from "./pages.ts";
import type { PaymentDesk, PaymentRow } from "./payment-desk.ts";
import type { PaymentMethodUseCases } from "./payment-methods.ts";
import type { Card } from "./payments.ts";
import type { Portal, PortalRow } from "./portal.ts";
import { purchaseOf } from "./purchases.ts";
import { day } from "./quote.ts";
import type { TestDriver } from "./test-driver.ts";

/** The fields that the forms of these pages send. */
export type Form = {
  card?: string | undefined;
  decision?: "approve" | "refuse" | undefined;
  make_default?: string | undefined;
  remove?: string | undefined;
};
/** A rendered page. */
export type Shown = { title: string; body: Html };
type Outcome = Shown | { to: string };

type Deps = {
  checkout: Checkout;
  portal: Portal;
  paymentMethods: PaymentMethodUseCases;
  invoices: InvoicesRepository;
  testDriver: TestDriver;
  desk: PaymentDesk;
};

const INVOICES = 24;
const TEST_CARDS = [
  ["4000 0000 0000 0002", "is declined"],
  ["4000 0025 0000 3155", "is confirmed with the bank once"],
  ["4000 0027 6000 3184", "is confirmed with the bank at every payment"],
  ["4000 0000 0000 0341", "is declined when it is charged"],
] as const;

/** The pages that a payment service hosts: checkout, confirmation by the bank, and the customer portal. */
export function createTestPages(deps: Deps) {
  const { checkout, portal, paymentMethods, invoices, testDriver, desk } = deps;
  const { driver } = testDriver;

  async function checkoutPage(session: CheckoutRow, fault: string | null): Promise<Shown> {
    const { quoted, plan } = await checkout.offer(session);
    const { bill, next } = quoted;
    return shown(
      `Check out: ${plan.name}`,
      html`${faultOf(fault)}
<table><tbody>${bill.lines.map((line) => amountRow(line.description, line.amount_cents))}
${bill.discountCents > 0 ? amountRow("Discount", -bill.discountCents) : null}
${bill.taxCents > 0 ? amountRow("Tax", bill.taxCents) : null}</tbody>
<tfoot>${amountRow("To be paid now", bill.totalCents)}</tfoot></table>
<p class="quiet">Next invoice: ${dollars(next.totalCents)} on ${day(next.date)}.</p>
${cardForm("Pay")}`,
    );
  }

  async function portalPage({ organization_id }: PortalRow, fault: string | null): Promise<Shown> {
    const [cards, bills] = await Promise.all([
      paymentMethods.list(organization_id),
      invoices.list(organization_id, INVOICES, 0),
    ]);
    return shown(
      "Cards and invoices",
      html`${faultOf(fault)}
<h2>Cards</h2>
<table><tbody>${cards.map(cardRow)}</tbody></table>
${cardForm("Add a card")}
<h2>Invoices</h2>
<table><tbody>${bills.map(invoiceRow)}</tbody></table>
<p><a href="/account">Back to the site</a></p>`,
    );
  }

  /** Registers the entered card. Returns the card, or the page to show when it was declined or needs confirmation. */
  async function enter(
    { card = "", decision }: Form,
    refused: (fault: string) => Promise<Shown>,
  ): Promise<Card | Shown> {
    const number = card.replaceAll(/[\s-]/g, "");
    const outcome = await driver.setUp(number);
    if (outcome.kind === "declined") return refused(`The card was declined (${outcome.code}). Try another card.`);
    if (outcome.kind === "card" || decision === "approve") return outcome.card;
    if (decision === "refuse") return refused("Your bank did not let this card be used.");
    return shown("Your bank asks", html`<p>May this card be used here?</p>${decisionForm(number)}`);
  }

  async function buy(session: CheckoutRow, form: Form, ip: string): Promise<Outcome> {
    const card = await enter(form, (fault) => checkoutPage(session, fault));
    if ("body" in card) return card;
    try {
      await checkout.buy(session, card, ip);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "test_payments.ended") throw error;
      const url = error.details?.url;
      if (error.code === "authentication_required" && typeof url === "string") return { to: new URL(url).pathname };
      const again = error.code === "subscription.trial_used" ? { ...session, trial: false } : session;
      return checkoutPage(again, error.message);
    }
    return { to: completePage(session.plan_id, session.quantity) };
  }

  async function lookAfter(visit: PortalRow, form: Form, ip: string): Promise<Shown> {
    const buyer = { userId: visit.user_id, organizationId: visit.organization_id, credential: null, ip };
    try {
      if (form.make_default !== undefined) await paymentMethods.makeDefault(buyer, form.make_default);
      else if (form.remove !== undefined) await paymentMethods.remove(buyer, form.remove);
      else {
        const card = await enter(form, (fault) => portalPage(visit, fault));
        if ("body" in card) return card;
        await paymentMethods.add(buyer, card);
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return portalPage(visit, error.message);
    }
    return portalPage(visit, null);
  }

  async function confirmPayment(token: string, approved: boolean): Promise<Outcome> {
    const event = await testDriver.authenticate(token, approved);
    if (!event) throw pageEnded();
    await desk.handle(event);
    const payment = await desk.find(event.paymentId);
    if (payment.outcome === "given_back") {
      await desk.giveBack(event.paymentId);
      return shown("Given back", html`<p>${changedMeanwhile().message} <a href="/account">Back to the site</a></p>`);
    }
    if (approved) return { to: pageAfter(payment) };
    return shown("Not confirmed", html`<p>Nothing was charged. <a href="/pricing">Back to the site</a></p>`);
  }

  return {
    async show(token: string): Promise<Shown> {
      const session = await checkout.find(token);
      if (session) return checkoutPage(session, null);
      const visit = await portal.find(token);
      if (visit) return portalPage(visit, null);
      const payment = await testDriver.awaiting(token);
      if (payment)
        return shown("Your bank asks", html`<p>Pay ${dollars(payment.amountCents)}?</p>${decisionForm(null)}`);
      if (await paymentMethods.awaiting(token))
        return shown("Your bank asks", html`<p>May this card be used here?</p>${decisionForm(null)}`);
      throw pageEnded();
    },

    async submit(token: string, form: Form, ip: string): Promise<Outcome> {
      const session = await checkout.find(token);
      if (session) return buy(session, form, ip);
      const visit = await portal.find(token);
      if (visit) return lookAfter(visit, form, ip);
      const approved = form.decision === "approve";
      if (await testDriver.awaiting(token)) return confirmPayment(token, approved);
      if (!(await paymentMethods.authenticate(token, approved, ip))) throw pageEnded();
      return { to: approved ? "/account/payment-method-added" : "/account/payment-methods" };
    },
  };
}

/** The path of the site's page with the result of a change of plan. */
function completePage(planId: string, quantity: number): string {
  return `/subscription/complete?${new URLSearchParams({ plan: planId, quantity: String(quantity) })}`;
}

function pageAfter(payment: PaymentRow): string {
  if (payment.purpose !== "change") return "/account";
  const { wanted } = purchaseOf(payment);
  return completePage(wanted.planId, wanted.quantity);
}

function shown(title: string, body: Html): Shown {
  return { title: `TEST: ${title}`, body: html`${testNote(true)}<h1>${title}</h1>${body}` };
}

function faultOf(fault: string | null): Html | null {
  return fault === null ? null : html`<p class="fault" role="alert">${fault}</p>`;
}

function cardForm(label: string): Html {
  return html`<form method="post">
<label>Test card<input name="card" inputmode="numeric" autocomplete="off" required maxlength="40" value="4242 4242 4242 4242"></label>
<button class="primary">${label}</button>
</form>
<details class="quiet"><summary>Other test cards</summary>
<table><tbody>${TEST_CARDS.map(([number, what]) => html`<tr><td>${number}</td><td>${what}</td></tr>`)}</tbody></table>
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
  const use = is_default
    ? html`<span class="quiet">pays</span>`
    : html`<form method="post"><button name="make_default" value="${id}">Use</button></form>`;
  return html`<tr><td>${brand} ${last4}, until ${exp_month}/${exp_year}</td>
<td>${use}<form method="post"><button name="remove" value="${id}">Remove</button></form></td></tr>`;
}

function invoiceRow({ id, number, created_at, status, total_cents }: InvoiceRow): Html {
  return html`<tr><td><a href="/api/invoices/${id}/page">${number}</a>, ${day(created_at)}, ${status}</td>
<td>${dollars(total_cents)}</td></tr>`;
}
