import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { STRIPE_KEYS, startFakeStripe } from "@feather/testing/fake-stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CARDS } from "../../../testing/billing.ts";
import type { CustomerPortal } from "../customer-portal.ts";
import type { PaymentDriver } from "../payment-driver.ts";
import type { TaxService } from "../tax-service.ts";
import { createStripeClient, type StripeDeps } from "./stripe-client.ts";
import { checkStripeConnection } from "./stripe-connection.ts";
import { createStripeDriver } from "./stripe-driver.ts";
import { createStripePortal } from "./stripe-portal.ts";
import { createStripeRecords } from "./stripe-records.ts";
import { createStripeTax } from "./stripe-tax.ts";

/**
 * Stripe's own program, which checks requests with Stripe's OpenAPI document and answers with examples
 * (`go install github.com/stripe/stripe-mock@v0.203.0`).
 */
const command = process.env.FEATHER_TEST_STRIPE_MOCK ?? "stripe-mock";
const isInstalled = spawnSync(command, ["-version"]).status === 0;

const PORTAL = { configuration: undefined };

type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

let mock: ChildProcess;
let mockUrl: string;
let fake: FakeStripe;

/** Starts stripe-mock on free ports, and returns its address. */
async function startMock(): Promise<string> {
  mock = spawn(command, ["-http-addr", "127.0.0.1:0", "-https-addr", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (!mock.stdout) throw new Error("stripe-mock has no output.");
  for await (const line of createInterface(mock.stdout)) {
    const [, address] = /Listening for HTTP at address: (.*)/.exec(line) ?? [];
    if (address !== undefined) return `http://${address}`;
  }
  throw new Error("stripe-mock ended before it listened.");
}

function depsOf(apiBase: string): StripeDeps {
  return {
    getStripe: createStripeClient({ secretKey: STRIPE_KEYS.secretKey, apiBase }),
    isTest: true,
    returnUrl: "http://localhost/account",
    log: { error: () => {} },
  };
}

/** Adds a card as a buyer does, and charges it, present or away. Returns the payment. */
async function pay(driver: PaymentDriver, id: string, number: string, isBuyerPresent: boolean) {
  const customer = await driver.createCustomer({ organizationId: "org_1", name: "Acme", email: "a@example.com" }, null);
  const setup = await driver.createSetup({ setupId: `seti_${id}`, customer });
  if (!setup) throw new Error("The customer is missing.");
  await fake.enterCard(setup.clientSecret ?? "", number);
  const setupState = await driver.findSetup(setup.reference);
  if (setupState.kind === "requires_action") fake.authenticate(setupState.url ?? "", true);
  const state = await driver.findSetup(setup.reference);
  if (state.kind !== "card") throw new Error("The card was not added.");
  const key = { paymentId: `pay_${id}`, reference: null, createdAt: new Date(), card: state.card.reference };
  const charge = { ...key, amountCents: 1000, currency: "USD", description: `Payment ${id}`, isBuyerPresent };
  const event = await driver.charge(charge);
  return { ...key, reference: event.reference ?? null };
}

/** Has the tax of a purchase calculated and reported, takes a part back, and undoes that. */
async function reportTax(taxes: TaxService) {
  const buyer = { country: "DE", postalCode: "10115", city: "Berlin", address: "Weg 3\nHof", vatId: "DE136695976" };
  const calculation = await taxes.calculate({ buyer, currency: "EUR", netCents: 1000 });
  const sale = await taxes.report({ id: "inv_1", calculation: calculation.reference });
  if (!("reference" in sale)) throw new Error(`The sale was refused: ${sale.refused}`);
  const back = await taxes.takeBack({ id: "crn_1", sale: sale.reference, cents: 300, currency: "EUR" });
  if (!("reference" in back)) throw new Error(`The refund was refused: ${back.refused}`);
  return taxes.undo({ id: "crn_1:failed", takenBack: back.reference });
}

const createPortal = (url: string) =>
  createStripePortal({ ...depsOf(url), ...PORTAL, portalReturnUrl: "http://localhost/account/payment-methods" });

/** Makes a customer the same as here, opens the portal for it, and reads what was changed there. */
async function openPortal(portal: CustomerPortal, card: string) {
  const [customer = ""] = card.split("/");
  const address = { address: "Weg 3\nHof", postalCode: "10115", city: "Berlin", country: "DE" };
  await portal.save(customer, { details: { name: "Acme", email: "a@example.com", ...address }, defaultCard: null });
  return { url: await portal.open(customer), record: await portal.find(customer) };
}

describe.runIf(isInstalled)("Stripe's own stripe-mock", () => {
  beforeAll(async () => {
    fake = await startFakeStripe();
    mockUrl = await startMock();
  });
  afterAll(async () => {
    mock.kill();
    await once(mock, "exit");
    await fake.close();
  });

  test("stripe-mock takes each request that the driver makes", async () => {
    const driver = createStripeDriver(depsOf(fake.url));
    const paid = await pay(driver, "paid", CARDS.works, true);
    await driver.find({ ...paid, reference: null });
    await driver.refund({ ...paid, refundedCents: 300 });
    const waiting = await pay(driver, "waiting", CARDS.authenticates, false);
    await driver.cancel(waiting);
    await driver.removeCard(paid.card);
    const records = createStripeRecords(depsOf(fake.url));
    const dispute = fake.openDispute(paid.reference ?? "");
    await records.findDispute(dispute.id);
    await records.listDisputes(new Date(0));
    await records.listCharges(new Date(0), new Date());
    await records.listRefunded(new Date(0));
    await reportTax(createStripeTax({ ...depsOf(fake.url), taxCode: "txcd_10103001" }));
    fake.savePortal();
    await openPortal(createPortal(fake.url), paid.card);
    await checkStripeConnection({
      ...depsOf(fake.url),
      publicUrl: "http://localhost",
      calculatesTaxes: true,
      portal: PORTAL,
    });
    const own = fake.requests.filter(({ headers }) => headers.authorization?.includes(STRIPE_KEYS.secretKey));
    const refused: string[] = [];
    for (const { method, url, headers, body } of own) {
      const { authorization = "", "content-type": type = "application/x-www-form-urlencoded" } = headers;
      const response = await fetch(mockUrl + url, {
        method,
        headers: { authorization, "content-type": type },
        ...(method !== "GET" && { body }),
      });
      if (!response.ok) refused.push(`${method} ${url} ${body}: ${response.status} ${await response.text()}`);
    }
    expect(refused).toEqual([]);
    expect(
      new Set(own.map(({ method, url }) => `${method} ${url.replace(/\?.*/, "").replace(/[a-z]+_\d+/, ":id")}`)).size,
    ).toBeGreaterThanOrEqual(22);
  });

  test("stripe-mock refuses a parameter that Stripe does not know", async () => {
    const response = await fetch(`${mockUrl}/v1/refunds`, {
      method: "POST",
      headers: { authorization: `Bearer ${STRIPE_KEYS.secretKey}` },
      body: new URLSearchParams({ payment_intent: "pi_1", amounts: "300" }),
    });
    expect(response.status).toBe(400);
  });

  test("the official package reads what stripe-mock answers to the driver", async () => {
    const errors: unknown[] = [];
    const log = { error: (...parts: unknown[]) => void errors.push(parts) };
    const driver = createStripeDriver({ ...depsOf(mockUrl), log });
    const customer = await driver.createCustomer(
      { organizationId: "org_1", name: "Acme", email: "a@example.com" },
      null,
    );
    expect(customer).toMatch(/^cus_/);
    const setup = await driver.createSetup({ setupId: "seti_1", customer });
    expect(setup).toMatchObject({
      reference: expect.stringMatching(/^seti_/),
      clientSecret: expect.stringContaining("_secret_"),
    });
    expect(await driver.findSetup(setup?.reference ?? "")).toEqual({ kind: "open" });
    const key = { paymentId: "pay_1", reference: null, createdAt: new Date(), card: `${customer}/pm_1` };
    const charge = { ...key, amountCents: 1000, currency: "USD", description: "Payment 1", isBuyerPresent: true };
    expect(await driver.charge(charge)).toMatchObject({ paymentId: "pay_1", reference: expect.stringMatching(/^pi_/) });
    expect(await driver.find({ ...key, reference: "pi_1" })).toMatchObject({ paymentId: "pay_1" });
    const connection = await checkStripeConnection({
      ...depsOf(mockUrl),
      publicUrl: "http://localhost",
      calculatesTaxes: true,
      portal: PORTAL,
    });
    expect(await reportTax(createStripeTax({ ...depsOf(mockUrl), taxCode: undefined, log }))).toMatchObject({
      reference: expect.stringMatching(/^tax_/),
    });
    const opened = await openPortal(createPortal(mockUrl), `${customer}/pm_1`);
    expect(opened).toMatchObject({
      url: expect.stringMatching(/^https:/),
      record: { cards: expect.any(Array), details: expect.objectContaining({ country: null }) },
    });
    expect(connection.account?.id).toMatch(/^acct_/);
    expect(new Set(connection.permissions.map(({ state }) => state))).toEqual(new Set(["granted"]));
    expect(errors).toEqual([]);
  });
});
