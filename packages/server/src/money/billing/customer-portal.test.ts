import { errorCode } from "@feather/testing/errors";
import type { Customer, StripeEvent } from "@feather/testing/fake-stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../platform/core/time.ts";
import { type Buyer, CARDS } from "../../testing/billing.ts";
import { createStripeServer, type StripeServer } from "../../testing/stripe.ts";

let server: StripeServer;
beforeAll(async () => {
  server = await createStripeServer({ STRIPE_PORTAL: "on" });
  server.fake.savePortal();
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

type Card = { id: string; last4: string; exp_year: number; is_default: boolean };
type Details = Record<"name" | "email" | "address" | "city" | "country" | "vat_id" | "postal_code", string | null>;
const open = (who: Buyer) => server.post(who, "/api/payment-methods/portal");
const listCards = async (who: Buyer) =>
  (await server.read<{ items: Card[] }>(who, "/api/payment-methods")).items
    .map(({ last4, is_default }) => `${last4}${is_default ? " pays" : ""}`)
    .sort();
const readDetails = (who: Buyer) => server.read<Details>(who, "/api/organization/billing-details");
const saveDetails = (who: Buyer, body: Partial<Details>) =>
  server.call("/api/organization/billing-details", { method: "PUT", token: who.key, body });

async function listAttention(token: string) {
  const { status, body, text } = await server.call("/api/attention", { token });
  expect(status, text).toBe(200);
  return (body as { items: { kind: string; subject: string | null; message: string }[] }).items;
}
/** The parts of billing details that were not taken over. */
const listRefused = async ({ token }: Buyer) =>
  (await listAttention(token)).flatMap(({ kind, subject }) => (kind === "billing_details_refused" ? [subject] : []));

/** Returns the organization's customer at Stripe. */
async function customerOf({ organizationId }: Buyer): Promise<Customer> {
  const row = await server.db
    .selectFrom("payment_customers")
    .select("reference")
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  const customer = server.fake.store.customers.get(row.reference);
  if (!customer) throw new Error("Stripe has no such customer.");
  return customer;
}

const cardAtStripe = (customer: Customer, last4: string) =>
  [...server.fake.store.paymentMethods.values()].find((one) => one.customer === customer.id && one.card.last4 === last4)
    ?.id ?? "";

async function deliver(...events: readonly StripeEvent[]): Promise<void> {
  for (const event of events) {
    const { payload, signature } = server.fake.webhookOf(event);
    const headers = { "stripe-signature": signature };
    expect((await server.call("/api/payments/stripe/webhook", { body: payload, headers })).status).toBe(204);
  }
}

/** Returns the events that follow from what a person does. */
function eventsOf(change: () => void): StripeEvent[] {
  const seen = server.fake.store.events.length;
  change();
  return server.fake.store.events.slice(seen);
}

/** A buyer who has opened the portal, and their customer at Stripe. */
async function createVisitor(card: string | null = CARDS.works) {
  const who = await server.createBuyer(card);
  expect((await open(who)).status).toBe(200);
  return { who, customer: await customerOf(who) };
}

describe("opening the portal", () => {
  test("gives a link of Stripe that leads back to the cards, for a customer that is told details and default card", async () => {
    const who = await server.createBuyer();
    await saveDetails(who, {
      name: "Plume GmbH",
      address: "Quai 1\nHaus B\nHof 2",
      postal_code: "75001",
      city: "Paris",
      country: "FR",
    });
    const answer = await open(who);
    expect(answer.body).toEqual({ url: expect.stringContaining("/p/session/bps_"), is_test: true });
    const customer = await customerOf(who);
    expect(customer).toMatchObject({
      name: "Plume GmbH",
      email: who.email,
      address: { line1: "Quai 1", line2: "Haus B, Hof 2", postal_code: "75001", city: "Paris", country: "FR" },
      invoice_settings: { default_payment_method: cardAtStripe(customer, "4242") },
    });
    const request = server.fake.requests.findLast(({ url }) => url === "/v1/billing_portal/sessions");
    expect(new URLSearchParams(request?.body).get("return_url")).toMatch(/\/account\/payment-methods$/);
  });

  test("an organization that was no customer yet becomes one", async () => {
    const { who, customer } = await createVisitor(null);
    expect(customer).toMatchObject({ email: who.email, invoice_settings: { default_payment_method: null } });
  });

  test("a customer that was deleted at Stripe is replaced, and its cards are not offered there", async () => {
    const { who, customer } = await createVisitor();
    server.fake.deleteCustomer(customer.id);
    expect((await open(who)).status).toBe(200);
    const replaced = await customerOf(who);
    expect(replaced.id).not.toBe(customer.id);
    expect(replaced.invoice_settings.default_payment_method).toBeNull();
  });

  test.each([
    ["may not change cards", { role: "developer" as const }, 403],
    ["is not signed in", null, 401],
  ])("somebody who %s gets no link", async (_, member, status) => {
    const who = await server.createBuyer(null);
    if (member) await server.db.updateTable("memberships").set(member).where("user_id", "=", who.userId).execute();
    const token = member ? who.token : undefined;
    expect((await server.call("/api/payment-methods/portal", { method: "POST", ...(token && { token }) })).status).toBe(
      status,
    );
  });

  test.each([
    ["is not set up at Stripe", () => server.fake.store.portalConfigurations.clear(), "payments.portal_unavailable"],
    [
      "needs a permission that the key lacks",
      () => server.fake.store.lackingPermissions.add("Customer portal"),
      "payments.portal_unavailable",
    ],
    [
      "is not answered for",
      () => server.fake.fail(/billing_portal/, { status: 500 }, { status: 500 }),
      "payments.pending",
    ],
  ])("a portal that %s is refused with a code, and changes no card", async (_, arrange, code) => {
    const who = await server.createBuyer();
    arrange();
    const answer = await open(who);
    server.fake.savePortal();
    server.fake.store.lackingPermissions.clear();
    server.fake.recover();
    expect([answer.status, errorCode(answer.body)]).toEqual([409, code]);
    expect(await listCards(who)).toEqual(["4242 pays"]);
  });

  test("the configuration says that the portal is there", async () => {
    expect((await server.call("/api/config")).body).toMatchObject({ stripe_portal: true });
  });
});

describe("cards that are changed in the portal", () => {
  test("a card that is added and made the default is here, when its events arrive doubled and in reverse", async () => {
    const { who, customer } = await createVisitor();
    const events = eventsOf(() => {
      const id = server.fake.portal.addCard(customer.id, CARDS.alsoWorks);
      server.fake.portal.makeDefault(customer.id, id);
    });
    const all = [...events, ...events].reverse();
    await Promise.all(all.map((event) => deliver(event)));
    expect(await listCards(who)).toEqual(["4242", "4444 pays"]);
  });

  test("a card that was added here is not saved again by the event of Stripe, whichever comes first", async () => {
    const who = await server.createBuyer(null);
    const { body } = await server.post(who, "/api/payment-methods/setup-intent");
    const { id, client_secret } = body as { id: string; client_secret: string };
    const seen = server.fake.store.events.length;
    await server.fake.enterCard(client_secret, CARDS.works);
    const events = server.fake.store.events.slice(seen);
    expect(events.map(({ type }) => type)).toEqual(["payment_method.attached", "setup_intent.succeeded"]);
    await deliver(...events);
    expect((await server.post(who, `/api/payment-methods/setup-intent/${id}`)).status).toBe(200);
    await deliver(...events);
    expect(await listCards(who)).toEqual(["4242 pays"]);
  });

  test("a card that is removed there is removed here, and the newest other one pays", async () => {
    const { who, customer } = await createVisitor();
    await server.addCard(who, CARDS.alsoWorks);
    await deliver(...eventsOf(() => server.fake.portal.removeCard(cardAtStripe(customer, "4242"))));
    expect(await listCards(who)).toEqual(["4444 pays"]);
    const removed = await server.db
      .selectFrom("audit_log")
      .select("actor_user_id")
      .where("action", "=", "payment_methods.remove")
      .where("organization_id", "=", who.organizationId)
      .execute();
    expect(removed).toEqual([{ actor_user_id: null }]);
  });

  test("a card that is removed here stays removed while Stripe still has it", async () => {
    const { who, customer } = await createVisitor();
    const [card] = await server.billing.paymentMethods.list(who.organizationId);
    await server.call(`/api/payment-methods/${card?.id}`, { method: "DELETE", token: who.key });
    await deliver(...eventsOf(() => server.fake.portal.update(customer.id, { name: "Other" })));
    expect(await listCards(who)).toEqual([]);
  });

  test("a default that is chosen here stays when Stripe reports something else later", async () => {
    const { who, customer } = await createVisitor();
    await server.addCard(who, CARDS.alsoWorks);
    const other = (await server.billing.paymentMethods.list(who.organizationId)).find(({ last4 }) => last4 === "4444");
    await server.call(`/api/payment-methods/${other?.id}`, { method: "PUT", token: who.key });
    await deliver(...eventsOf(() => server.fake.portal.update(customer.id, { name: "Other" })));
    expect(await listCards(who)).toEqual(["4242", "4444 pays"]);
  });

  test("a card whose bank extends it has the new date here", async () => {
    const { who, customer } = await createVisitor();
    await deliver(...eventsOf(() => server.fake.renewCard(cardAtStripe(customer, "4242"), 2041)));
    expect(await server.billing.paymentMethods.list(who.organizationId)).toMatchObject([{ exp_year: 2041 }]);
  });

  test("an event that Stripe does not answer about is repeated until it does", async () => {
    const { who, customer } = await createVisitor();
    const events = eventsOf(() => void server.fake.portal.addCard(customer.id, CARDS.alsoWorks));
    server.fake.fail(/^GET \/v1\/customers/, "dropped", "dropped");
    await deliver(...events);
    expect(await listCards(who)).toEqual(["4242 pays"]);
    server.fake.recover();
    server.clock.at += MINUTE_MS;
    await server.billing.paymentWebhooks.replay();
    expect(await listCards(who)).toEqual(["4242 pays", "4444"]);
  });

  test("events about customers of others, and cards of nobody, change nothing", async () => {
    const before = await server.db.selectFrom("payment_methods").select("id").execute();
    const customer = [...server.fake.store.customers.values()][0];
    const events = eventsOf(() => server.fake.store.emit("customer.updated", { ...customer, id: "cus_other" }));
    await deliver(...events);
    expect(await server.db.selectFrom("payment_methods").select("id").execute()).toHaveLength(before.length);
  });
});

describe("a plan whose card is removed in the portal", () => {
  test("the last card of a plan can go there: the billing contact gets a mail, and the renewal asks for a card", async () => {
    const { who, customer } = await createVisitor();
    await server.change(who, { plan_id: "feather_basic" });
    await deliver(...eventsOf(() => server.fake.portal.removeCard(cardAtStripe(customer, "4242"))));
    const mails = (await server.listMails(who.email)).filter(({ subject }) => subject.includes("has no card any more"));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.body).toContain("4242");
    server.clock.at += 31 * DAY_MS;
    await server.runJobs();
    expect(await server.subscription(who)).toMatchObject({ status: "past_due" });
    await server.addCard(who, CARDS.alsoWorks);
    const open = (await server.invoices(who)).find(({ status }) => status === "open");
    expect((await server.post(who, `/api/invoices/${open?.id}/pay`)).body).toMatchObject({ status: "paid" });
  });

  test("a renewal before the event fails at Stripe, and is paid by the other card once the event is there", async () => {
    const { who, customer } = await createVisitor();
    await server.change(who, { plan_id: "feather_basic" });
    await server.addCard(who, CARDS.alsoWorks);
    const events = eventsOf(() => server.fake.portal.removeCard(cardAtStripe(customer, "4242")));
    server.clock.at += 31 * DAY_MS;
    await server.runJobs();
    expect(await server.subscription(who)).toMatchObject({ status: "past_due" });
    await deliver(...events);
    server.clock.at += DAY_MS;
    await server.runJobs();
    expect(await server.subscription(who)).toMatchObject({ status: "active" });
  });
});

describe("name and address that are changed in the portal", () => {
  const berlin = { line1: "Weg 3", line2: "Hof", postal_code: "10115", city: "Berlin", country: "DE" };

  test("are the billing details here, and what was not changed stays", async () => {
    const { who, customer } = await createVisitor();
    await saveDetails(who, { buyer_reference: null, email: "accounting@example.com" } as Partial<Details>);
    await deliver(...eventsOf(() => server.fake.portal.update(customer.id, { name: "Acme GmbH", address: berlin })));
    expect(await readDetails(who)).toMatchObject({
      name: "Acme GmbH",
      email: "accounting@example.com",
      address: "Weg 3\nHof",
      postal_code: "10115",
      city: "Berlin",
      country: "DE",
    });
  });

  test("details that were changed here afterwards are not undone by a late event", async () => {
    const { who, customer } = await createVisitor();
    const events = eventsOf(() => server.fake.portal.update(customer.id, { name: "There" }));
    await deliver(...events);
    await saveDetails(who, { name: "Here" });
    await deliver(...events.map((event) => ({ ...event, id: `${event.id}_again` })));
    expect(await readDetails(who)).toMatchObject({ name: "Here" });
  });

  test("are taken over before the portal is opened again, though their event never came", async () => {
    const { who, customer } = await createVisitor();
    server.fake.portal.update(customer.id, { email: "new@example.com" });
    await open(who);
    expect([(await readDetails(who)).email, (await customerOf(who)).email]).toEqual([
      "new@example.com",
      "new@example.com",
    ]);
  });

  test("a country that the VAT id does not fit is not taken over, and the portal shows ours again", async () => {
    const { who, customer } = await createVisitor();
    await saveDetails(who, { country: "FR", vat_id: "FR32123456789" });
    await open(who);
    await deliver(...eventsOf(() => server.fake.portal.update(customer.id, { address: berlin })));
    expect(await readDetails(who)).toMatchObject({ country: "FR", vat_id: "FR32123456789", city: null });
    expect(await listRefused(who)).toEqual(["address"]);
    await open(who);
    expect((await customerOf(who)).address).toMatchObject({ country: "FR", city: null });
  });
});

describe("what is changed in the portal and does not fit here", () => {
  const berlin = { line1: "Weg 3", line2: "", postal_code: "10115", city: "Berlin", country: "DE" };
  const FRENCH = { country: "FR", vat_id: "FR32123456789" };
  type Changes = Parameters<typeof server.fake.portal.update>[1];
  /** A buyer with a French VAT id, in whose portal something is changed. */
  async function createFrench(changes: Changes) {
    const { who, customer } = await createVisitor();
    await saveDetails(who, FRENCH);
    await open(who);
    const change = async (next: Changes) => deliver(...eventsOf(() => server.fake.portal.update(customer.id, next)));
    await change(changes);
    server.clock.at += MINUTE_MS;
    return { who, change };
  }

  test("the name is taken over, and the address is not as a whole: payers see why until it is mended", async () => {
    const { who } = await createFrench({ name: "Acme GmbH", address: berlin });
    expect(await readDetails(who)).toMatchObject({ ...FRENCH, name: "Acme GmbH", address: null, city: null });
    expect((await listAttention(who.token)).filter(({ kind }) => kind === "billing_details_refused")).toEqual([
      expect.objectContaining({
        severity: "warning",
        subject: "address",
        message: expect.stringMatching(
          /^The address that was changed at the payment service was not taken over: vat_id is not valid: .+\. Save billing/,
        ),
      }),
    ]);
  });

  test("only those who pay for the organization see it", async () => {
    const { who } = await createFrench({ address: berlin });
    await server.db.updateTable("memberships").set({ role: "developer" }).where("user_id", "=", who.userId).execute();
    expect(await listRefused(who)).toEqual([]);
    await server.db.updateTable("memberships").set({ role: "admin" }).where("user_id", "=", who.userId).execute();
    expect(await listRefused(who)).toEqual(["address"]);
  });

  test("it is over when billing details are saved here", async () => {
    const { who } = await createFrench({ address: berlin });
    await saveDetails(who, { city: "Lyon" });
    expect(await listRefused(who)).toEqual([]);
  });

  test("it is over when the address fits after all, of which all is taken over then", async () => {
    const { who, change } = await createFrench({ address: berlin });
    await change({ address: { ...berlin, country: "FR" } });
    expect(await readDetails(who)).toMatchObject({ ...FRENCH, address: "Weg 3", postal_code: "10115", city: "Berlin" });
    expect(await listRefused(who)).toEqual([]);
  });

  test("it stays while another part is taken over, and while events repeat it", async () => {
    const { who, change } = await createFrench({ address: berlin });
    await change({ email: "new@example.com" });
    await change({});
    expect(await readDetails(who)).toMatchObject({ email: "new@example.com", city: null });
    expect(await listRefused(who)).toEqual(["address"]);
  });

  test("a name that is not valid is reported, and the e-mail address beside it is taken over", async () => {
    const { who } = await createFrench({ name: "Ac\u202eme", email: "new@example.com" });
    expect(await readDetails(who)).toMatchObject({ name: null, email: "new@example.com" });
    expect(await listRefused(who)).toEqual(["name"]);
  });

  test("an address without the city that a buyer reference needs is reported", async () => {
    const { who, customer } = await createVisitor();
    const details = { name: "Amt", address: "Weg 1", postal_code: "10115", city: "Berlin", country: "DE" };
    await saveDetails(who, { ...details, buyer_reference: "04011000-12345-03" } as Partial<Details>);
    await open(who);
    const address = { line1: "Weg 2", line2: "", postal_code: "10117", city: "", country: "DE" };
    await deliver(...eventsOf(() => server.fake.portal.update(customer.id, { address })));
    expect(await readDetails(who)).toMatchObject(details);
    expect(await listRefused(who)).toEqual(["address"]);
  });
});

test("the daily comparison finds what no event told of, for portals that were opened in the last seven days", async () => {
  const [recent, old] = [await createVisitor(), await createVisitor()];
  await server.db
    .updateTable("payment_customers")
    .set({ portal_opened_at: new Date(server.clock.at - 8 * DAY_MS) })
    .where("organization_id", "=", old.who.organizationId)
    .execute();
  for (const { customer } of [recent, old]) server.fake.portal.addCard(customer.id, CARDS.alsoWorks);
  server.clock.at += MINUTE_MS;
  await server.billing.reconciliation.check();
  expect([await listCards(recent.who), await listCards(old.who)]).toEqual([["4242 pays", "4444"], ["4242 pays"]]);
});

test("a customer that cannot be compared does not hold up the others", async () => {
  const visitors = [await createVisitor(), await createVisitor()];
  for (const { customer } of visitors) server.fake.portal.addCard(customer.id, CARDS.alsoWorks);
  const [first] = visitors;
  server.clock.at += MINUTE_MS;
  server.fake.fail(new RegExp(`^GET /v1/customers/${first?.customer.id}`), { status: 500 }, { status: 500 });
  await server.billing.reconciliation.check();
  server.fake.recover();
  expect((await Promise.all(visitors.map(({ who }) => listCards(who)))).flat()).toEqual([
    "4242 pays",
    "4242 pays",
    "4444",
  ]);
});

test("without the portal there is no link, and events of cards are ignored", async () => {
  const other = await createStripeServer();
  try {
    const who = await other.createBuyer();
    const answer = await other.post(who, "/api/payment-methods/portal");
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "payments.portal_off"]);
    expect((await other.call("/api/config")).body).toMatchObject({ stripe_portal: false });
    const [event] = other.fake.store.events.filter(({ type }) => type === "payment_method.attached");
    if (!event) throw new Error("Stripe told of no card.");
    const { payload, signature } = other.fake.webhookOf(event);
    await other.call("/api/payments/stripe/webhook", { body: payload, headers: { "stripe-signature": signature } });
    expect(await other.db.selectFrom("payment_webhooks").selectAll().execute()).toEqual([]);
  } finally {
    await other.close();
  }
});
