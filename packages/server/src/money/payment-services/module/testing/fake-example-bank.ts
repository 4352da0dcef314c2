/**
 * A stand-in for the imaginary service of the documentation's payment driver: customers, pages on which cards are entered, payments
 * that are charged once per id, confirmations, refunds up to a sum, and signed webhooks.
 */
import { createHash, createHmac } from "node:crypto";
import { startHttpServer } from "@feather/testing/http-server";

type Card = {
  reference: string;
  fingerprint: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
};
type Setup = { customer: string; returnTo: string; card: Card | null; isConfirmed: boolean };
type Payment = {
  id: string;
  status: "paid" | "confirm" | "failed";
  amount: number;
  currency: string;
  refunded: number;
  code: string | null;
  url: string | null;
};
type Body = Record<string, unknown>;
type Reply = { status: number; body: object };

/** The test cards of the service. */
export const BANK_CARDS = {
  works: "4242424242424242",
  alsoWorks: "5555555555554444",
  declined: "4000000000000002",
  authenticates: "4000002760003184",
  authenticatesOnce: "4000002500003155",
  failsLater: "4000000000000341",
} as const;
/** The key that the service accepts, and signs its webhooks with. */
export const BANK_KEY = "bank_key";

/** Starts the service. */
export async function startFakeExampleBank() {
  const bank: Bank = {
    customers: new Map(),
    setups: new Map(),
    payments: new Map(),
    numbers: new Map(),
    isDown: false,
  };
  const server = await startHttpServer(({ method, url, headers, body }, response) => {
    if (bank.isDown) return response.destroy();
    const isKnown = headers.authorization === `Bearer ${BANK_KEY}`;
    const reply = isKnown ? answer(bank, method, url, body === "" ? {} : (JSON.parse(body) as Body)) : NOT_FOUND;
    response.writeHead(reply.status, { "content-type": "application/json" });
    response.end(JSON.stringify(reply.body));
  });
  return {
    url: server.url,
    requests: server.requests,
    bank,
    /** Enters a card on the page of a setup. Returns where the buyer is sent back to; null if the card is refused. */
    enterCard: (setupId: string, number: string) => enterCard(bank, setupId, number),
    /** What the buyer decides on the page of their bank. */
    decide: (url: string, approved: boolean) => decide(bank, url, approved),
    /** Returns a webhook as the service sends it. */
    webhookOf(type: "payment" | "refund" | "setup", object: string, sentAt: number) {
      const body = JSON.stringify({ id: `${type}:${object}:${sentAt}`, type, object, sent_at: sentAt });
      return { body, signature: createHmac("sha256", BANK_KEY).update(body).digest("hex") };
    },
    close: server.close,
  };
}

type Bank = {
  customers: Map<string, object>;
  setups: Map<string, Setup>;
  payments: Map<string, Payment>;
  /** Numbers of cards by their references. */
  numbers: Map<string, string>;
  isDown: boolean;
};

const NOT_FOUND: Reply = { status: 404, body: {} };
const PAGES = "https://bank.example.com";

function answer(bank: Bank, method: string, url: string, body: Body): Reply {
  const [, kind = "", id = "", action = ""] = url.split("/");
  const route = `${method} ${kind}${action && `/${action}`}`;
  const payment = bank.payments.get(id);
  const found = (value: object | undefined): Reply => (value ? { status: 200, body: value } : NOT_FOUND);
  if (route === "PUT customers") {
    bank.customers.set(id, body);
    return found({ id });
  }
  if (route === "PUT setups") {
    if (!bank.customers.has(String(body.customer))) return NOT_FOUND;
    const fresh = { customer: String(body.customer), returnTo: String(body.return_to), card: null, isConfirmed: true };
    bank.setups.set(id, bank.setups.get(id) ?? fresh);
    return found({ url: `${PAGES}/setups/${id}` });
  }
  if (route === "GET setups") return found(toSetupBody(bank.setups.get(id), id));
  if (route === "PUT payments") return found(payment ?? charge(bank, id, body));
  if (route === "GET payments") return found(payment);
  if (route === "POST payments/cancel") {
    if (payment?.status === "confirm") Object.assign(payment, { status: "failed", code: "canceled", url: null });
    return found(payment);
  }
  if (route === "POST payments/refund" && payment) payment.refunded = Math.max(payment.refunded, Number(body.total));
  if (route === "POST payments/refund") return found(payment);
  return route === "DELETE cards" && bank.numbers.delete(id) ? found({}) : NOT_FOUND;
}

function toSetupBody(setup: Setup | undefined, id: string): object | undefined {
  if (!setup || setup.card === null) return setup && {};
  return setup.isConfirmed ? { card: setup.card } : { confirm_url: `${PAGES}/confirm/setup/${id}` };
}

function charge(bank: Bank, id: string, body: Body): Payment {
  const number = bank.numbers.get(String(body.card));
  const isRefused = number === undefined || number === BANK_CARDS.failsLater;
  const payment: Payment = {
    id,
    status: isRefused ? "failed" : number === BANK_CARDS.authenticates ? "confirm" : "paid",
    amount: Number(body.amount),
    currency: String(body.currency),
    refunded: 0,
    code: isRefused ? (number === undefined ? "card_gone" : "insufficient_funds") : null,
    url: number === BANK_CARDS.authenticates ? `${PAGES}/confirm/payment/${id}` : null,
  };
  bank.payments.set(id, payment);
  return payment;
}

function enterCard(bank: Bank, setupId: string, number: string): string | null {
  const setup = bank.setups.get(setupId);
  if (!setup || number === BANK_CARDS.declined) return null;
  const reference = `card_${bank.numbers.size + 1}`;
  bank.numbers.set(reference, number);
  setup.card = {
    reference,
    fingerprint: createHash("sha256").update(number).digest("hex"),
    brand: number.startsWith("4") ? "visa" : "mastercard",
    last4: number.slice(-4),
    expMonth: 12,
    expYear: 2030,
  };
  setup.isConfirmed = number !== BANK_CARDS.authenticates && number !== BANK_CARDS.authenticatesOnce;
  return setup.returnTo;
}

function decide(bank: Bank, url: string, approved: boolean): void {
  const [kind = "", id = ""] = url.slice(`${PAGES}/confirm/`.length).split("/");
  const setup = kind === "setup" ? bank.setups.get(id) : undefined;
  if (setup) Object.assign(setup, approved ? { isConfirmed: true } : { card: null });
  const payment = kind === "payment" ? bank.payments.get(id) : undefined;
  if (payment?.status === "confirm")
    Object.assign(payment, approved ? { status: "paid", url: null } : { status: "failed", code: "refused", url: null });
}
