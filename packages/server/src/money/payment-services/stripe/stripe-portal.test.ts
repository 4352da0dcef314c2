import { type FakeStripe, STRIPE_KEYS, startFakeStripe } from "@feather/testing/fake-stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CARDS } from "../../../testing/billing.ts";
import type { CustomerPortal } from "../customer-portal.ts";
import { createStripeClient } from "./stripe-client.ts";
import { createStripeDriver } from "./stripe-driver.ts";
import { createStripePortal } from "./stripe-portal.ts";

const NONE = { name: null, email: null, address: null, postalCode: null, city: null, country: null };
const DETAILS = {
  name: "Plume GmbH",
  email: "ada@example.com",
  address: "Quai 1\nHaus B",
  postalCode: "75001",
  city: "Paris",
  country: "FR",
};

let fake: FakeStripe;
let portal: CustomerPortal;
let customer: string;
beforeEach(async () => {
  fake = await startFakeStripe();
  fake.savePortal();
  portal = createPortal();
  const organization = { organizationId: "org_1", name: "Plume", email: "ada@example.com" };
  customer = await createStripeDriver(deps()).createCustomer(organization, null);
});
afterEach(() => fake.close());

const deps = () => ({
  getStripe: createStripeClient({ secretKey: STRIPE_KEYS.secretKey, apiBase: fake.url }),
  isTest: true,
  returnUrl: "http://localhost/account",
  log: { error: () => {} },
});
const createPortal = (configuration?: string) =>
  createStripePortal({ ...deps(), configuration, portalReturnUrl: "http://localhost/account/payment-methods" });

describe("a customer at Stripe", () => {
  test("is found with its name, its cards and the one that pays", async () => {
    const id = fake.portal.addCard(customer, CARDS.works);
    fake.portal.makeDefault(customer, id);
    const reference = `${customer}/${id}`;
    expect(await portal.find(customer)).toEqual({
      details: { ...NONE, name: "Plume", email: "ada@example.com" },
      cards: [
        { reference, fingerprint: expect.any(String), brand: "visa", last4: "4242", expMonth: 12, expYear: 2034 },
      ],
      defaultCard: reference,
    });
  });

  test("is found with all of its cards, however many", async () => {
    for (let count = 0; count < 101; count++) fake.portal.addCard(customer, CARDS.works);
    expect((await portal.find(customer))?.cards).toHaveLength(101);
  });

  test("has the details and the default card that were saved", async () => {
    const defaultCard = `${customer}/${fake.portal.addCard(customer, CARDS.works)}`;
    const saved = await portal.save(customer, { details: DETAILS, defaultCard });
    expect(saved).toEqual({ details: DETAILS, defaultCard });
    expect(await portal.find(customer)).toMatchObject({ details: DETAILS, defaultCard });
  });

  test("loses what is empty here, and a state, which is a line of the address", async () => {
    await portal.save(customer, { details: DETAILS, defaultCard: null });
    fake.portal.update(customer, { address: { line1: "1 Main St", state: "CA", country: "US" } });
    expect((await portal.find(customer))?.details).toMatchObject({
      address: "1 Main St\nCA",
      country: "US",
      city: null,
    });
    await portal.save(customer, { details: { ...NONE, name: "Plume" }, defaultCard: null });
    expect(await portal.find(customer)).toMatchObject({ details: { ...NONE, name: "Plume" }, defaultCard: null });
  });

  test("that was deleted is neither found nor changed", async () => {
    fake.deleteCustomer(customer);
    expect(await portal.find(customer)).toBeNull();
    expect(await portal.save(customer, { details: DETAILS, defaultCard: null })).toBeNull();
  });

  test("that Stripe never had is neither found nor changed", async () => {
    expect(await portal.find("cus_unknown")).toBeNull();
    expect(await portal.save("cus_unknown", { details: DETAILS, defaultCard: null })).toBeNull();
  });

  test("is pending while Stripe does not answer, and while the default card is not its own", async () => {
    fake.fail(/^GET/, { status: 500 }, { status: 500 });
    await expect(portal.find(customer)).rejects.toMatchObject({ code: "payments.pending" });
    const foreign = { details: DETAILS, defaultCard: `${customer}/pm_unknown` };
    await expect(portal.save(customer, foreign)).rejects.toMatchObject({ code: "payments.pending" });
  });
});

describe("the portal at Stripe", () => {
  test("opens with the configuration that was saved, or the one that is named", async () => {
    fake.savePortal(["address"], "bpc_2");
    await portal.open(customer);
    await createPortal("bpc_2").open(customer);
    const sent = fake.requests.filter(({ url }) => url === "/v1/billing_portal/sessions");
    expect(sent.map(({ body }) => new URLSearchParams(body).get("configuration"))).toEqual([null, "bpc_2"]);
  });

  test.each([
    ["Stripe does not have", "bpc_unknown"],
    ["is not active", "bpc_1"],
  ])("is unavailable with a configuration that %s", async (_, configuration) => {
    for (const one of fake.store.portalConfigurations.values()) one.active = false;
    const opened = createPortal(configuration).open(customer);
    await expect(opened).rejects.toMatchObject({ code: "payments.portal_unavailable" });
  });

  test("is pending while Stripe limits requests", async () => {
    fake.fail(/billing_portal/, { status: 429 }, { status: 429 });
    await expect(portal.open(customer)).rejects.toMatchObject({ code: "payments.pending" });
  });
});
