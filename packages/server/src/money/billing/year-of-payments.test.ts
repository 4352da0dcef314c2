import { STRIPE_KEYS, type StripeEvent } from "@feather/testing/fake-stripe";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../platform/core/time.ts";
import { type Buyer, CARDS } from "../../testing/billing.ts";
import { createRandom, type Random } from "../../testing/random.ts";
import { createStripeServer, type StripeServer } from "../../testing/stripe.ts";

/** How many years are tried, each with another seed, and the first seed; `FEATHER_TEST_YEARS=50` takes about 20 minutes. */
const YEARS = Number(process.env.FEATHER_TEST_YEARS ?? 1);
const FIRST_SEED = Number(process.env.FEATHER_TEST_YEAR_SEED ?? 20_261_129);
/** How many organizations take part. The time grows with their number. */
const ORGANIZATIONS = Number(process.env.FEATHER_TEST_YEAR_ORGANIZATIONS ?? 20);

const STEPS = 40;
const STEP_MS = (365 * DAY_MS) / STEPS;
const ACTIONS_PER_STEP = Math.ceil(ORGANIZATIONS * 0.6);
const TIMEOUT_MS = ORGANIZATIONS * 9_000;
const PLANS = ["feather_basic", "feather_pro_plus", "feather_scale", "feather_request_pricing"];
const MONTHLY_LIMIT_CENTS = 6000;
/** Units for one US dollar at the beginning of the year. The rates change during it. */
const RATES = { EUR: 0.92, JPY: 150, KWD: 0.307 };
const CURRENCIES = ["USD", ...Object.keys(RATES)];
const CREATE_PAYMENT = /^POST \/v1\/payment_intents$/;

type World = {
  server: StripeServer;
  random: Random;
  buyers: Buyer[];
  /** Number of events of Stripe that were sent, lost or queued. */
  seen: number;
  queue: StripeEvent[];
  adminToken: string;
};
type Action = (world: World, who: Buyer) => Promise<unknown>;

/** Buys, changes, pays and refunds at random. Any refusal is fine: what counts is that the books add up afterwards. */
const ACTIONS: readonly Action[] = [
  ({ server, random }, who) =>
    server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: random.integer(500, 5000) }),
  ({ server, random }, who) =>
    server.change(who, { plan_id: random.pick(PLANS), ...(random.chance(0.3) && { quantity: random.integer(1, 5) }) }),
  ({ server, random }, who) =>
    random.chance(0.3) ? server.call("/api/subscription", { method: "DELETE", token: who.key }) : Promise.resolve(),
  addCard,
  removeCard,
  spendCredits,
  spendCredits,
  buyAutomatically,
  payOpenInvoice,
  refundInvoice,
  refundInvoice,
  refundAtStripe,
  failRefund,
  failRefund,
  openDispute,
  closeDispute,
  answerBanks,
  breakStripe,
  crashSoon,
  changeRate,
  changeCurrency,
];

async function addCard({ server, random }: World, who: Buyer): Promise<void> {
  const number = random.pick([CARDS.works, CARDS.works, CARDS.alsoWorks, CARDS.authenticates, CARDS.failsLater]);
  const { body } = await server.addCard(who, number);
  await server.call(`/api/payment-methods/${(body as { id?: string }).id}`, { method: "PUT", token: who.key });
}

async function removeCard({ server, random }: World, who: Buyer): Promise<void> {
  const cards = await server.billing.paymentMethods.list(who.organizationId);
  if (cards.length > 1)
    await server.call(`/api/payment-methods/${random.pick(cards).id}`, { method: "DELETE", token: who.key });
}

async function spendCredits({ server, random }: World, { organizationId }: Buyer): Promise<void> {
  const { credits } = server.api.credits;
  const { available } = await credits.balance(organizationId);
  const spent = (available * BigInt(random.integer(1, 100))) / 100n;
  if (spent === 0n) return;
  const grant = {
    kind: "grant",
    description: "Used",
    reference: `used:${organizationId}:${random.integer(1, 1e12)}`,
  } as const;
  await credits.grant(organizationId, -spent, grant);
}

/** Sets the rule of the automatic top-up, which also makes a paused one go on, or deletes it. */
async function buyAutomatically({ server, random }: World, who: Buyer): Promise<void> {
  const body = {
    threshold_usd_cents: random.integer(100, 3000),
    amount_usd_cents: random.integer(500, 4000),
    monthly_limit_usd_cents: MONTHLY_LIMIT_CENTS,
  };
  const isSet = random.chance(0.9);
  await server.call("/api/credits/auto-top-up", {
    method: isSet ? "PUT" : "DELETE",
    token: who.key,
    ...(isSet && { body }),
  });
}

async function payOpenInvoice({ server }: World, who: Buyer): Promise<void> {
  const open = (await server.invoices(who)).find(({ status }) => status === "open");
  if (open) await server.post(who, `/api/invoices/${open.id}/pay`);
}

async function refundInvoice({ server, random, adminToken }: World, who: Buyer): Promise<void> {
  const invoices = (await server.invoices(who)).filter(
    ({ status, total_cents }) => status === "paid" && total_cents > 0,
  );
  if (invoices.length === 0) return;
  const { id, total_cents } = random.pick(invoices);
  const body = random.chance(0.5) ? {} : { amount_cents: random.integer(1, total_cents) };
  await server.call(`/api/admin/invoices/${id}/refund`, { method: "POST", token: adminToken, body });
}

async function refundAtStripe({ server: { fake }, random }: World): Promise<void> {
  const charges = [...fake.store.charges.values()].filter(({ amount, amount_refunded }) => amount_refunded < amount);
  if (charges.length === 0) return;
  const { payment_intent, amount, amount_refunded, currency } = random.pick(charges);
  await fetch(`${fake.url}/v1/refunds`, {
    method: "POST",
    headers: { authorization: `Bearer ${STRIPE_KEYS.secretKey}` },
    body: new URLSearchParams({
      payment_intent,
      amount: String(inSteps(random.integer(1, amount - amount_refunded), currency)),
    }),
  });
}

/** Stripe refunds no thousandths of a dinar. */
const inSteps = (amount: number, currency: string) => (currency === "kwd" ? Math.ceil(amount / 10) * 10 : amount);

async function failRefund({ server: { fake }, random }: World): Promise<void> {
  const since = fake.store.seconds() - (25 * DAY_MS) / 1000;
  const refunds = [...fake.store.refunds.values()].filter(
    ({ status, created }) => status === "succeeded" && created > since,
  );
  if (refunds.length > 0) fake.failRefund(random.pick(refunds).id);
}

async function openDispute({ server: { fake }, random }: World): Promise<void> {
  const since = fake.store.seconds() - (100 * DAY_MS) / 1000;
  const charges = [...fake.store.charges.values()].filter(
    ({ disputed, amount, amount_refunded, created }) => !disputed && amount_refunded < amount && created > since,
  );
  if (charges.length === 0) return;
  const { payment_intent, amount, amount_refunded } = random.pick(charges);
  const left = amount - amount_refunded;
  fake.openDispute(payment_intent, { amount: random.chance(0.7) ? left : random.integer(1, left) });
}

async function closeDispute({ server: { fake }, random }: World): Promise<void> {
  const open = [...fake.store.disputes.values()].filter(({ status }) => status === "needs_response");
  if (open.length > 0) fake.closeDispute(random.pick(open).id, random.chance(0.5) ? "won" : "lost");
}

/** Sets another rate: invoices and payments that exist keep theirs. */
async function changeRate({ server, random, adminToken }: World): Promise<void> {
  const [code, rate] = random.pick(Object.entries(RATES));
  const units_per_usd = (rate * (0.8 + random.integer(0, 4000) / 10_000)).toFixed(random.integer(2, 8));
  await server.call(`/api/admin/currencies/${code}`, { method: "PUT", token: adminToken, body: { units_per_usd } });
}

/** Refused while there are amounts in the present currency. */
async function changeCurrency({ server, random }: World, who: Buyer): Promise<void> {
  await server.call("/api/organization/billing-details", {
    method: "PUT",
    token: who.key,
    body: { currency: random.pick(CURRENCIES) },
  });
}

async function answerBanks({ server: { fake }, random }: World): Promise<void> {
  for (const { status, next_action } of fake.store.paymentIntents.values())
    if (status === "requires_action" && next_action && random.chance(0.6))
      fake.authenticate(next_action.redirect_to_url.url, random.chance(0.7));
}

async function breakStripe({ server: { fake }, random }: World): Promise<void> {
  if (random.chance(0.75)) return; // Stripe's package waits half a second before it tries again
  const failure = random.pick(["response lost", "dropped", { status: 500 }, { status: 429 }] as const);
  fake.fail(random.pick([CREATE_PAYMENT, /./]), failure, "dropped", "dropped");
}

/** Lets the server fail at a random write from now on, as if it ended there: between the charge and the ledger, too. */
async function crashSoon({ server, random }: World): Promise<void> {
  await sql`update crash_at set step = nextval('crash_steps') + ${random.integer(1, 25)}`.execute(server.db);
}

const CRASHING_TABLES = [
  "ledger_transactions",
  "ledger_entries",
  "invoices",
  "payments",
  "payment_events",
  "disputes",
  "audit_log",
];

async function prepareCrashes({ db }: StripeServer): Promise<void> {
  // Sequences are not rolled back with the transaction that crashes.
  await sql`create sequence crash_steps`.execute(db);
  await sql`create sequence crashes`.execute(db);
  await sql`create table crash_at as select 0::bigint as step`.execute(db);
  await sql`create function crash() returns trigger language plpgsql as $$
    begin
      if nextval('crash_steps') = (select step from crash_at) then
        perform nextval('crashes');
        raise exception 'crashed';
      end if;
      return new;
    end $$`.execute(db);
  for (const table of CRASHING_TABLES)
    await sql`create trigger crash before insert or update on ${sql.table(table)} for each row execute function crash()`.execute(
      db,
    );
}

/** Sends what Stripe has to say: some of it never, some twice, some later, in any order. */
async function sendWebhooks(world: World): Promise<void> {
  const { server, random } = world;
  const { events } = server.fake.store;
  for (const event of events.slice(world.seen)) {
    if (random.chance(0.2)) continue;
    world.queue.push(event, ...(random.chance(0.2) ? [event] : []));
  }
  world.seen = events.length;
  const [now, later] = random.split(random.shuffle(world.queue), 0.7);
  world.queue = later;
  for (const event of now) {
    const { payload, signature } = server.fake.webhookOf(event);
    await server.call("/api/payments/stripe/webhook", { body: payload, headers: { "stripe-signature": signature } });
  }
}

async function runStep(world: World): Promise<void> {
  const { server, random, buyers } = world;
  for (let count = 0; count < ACTIONS_PER_STEP; count++) {
    // A crash may end any of them; the next ones and the jobs have to cope with what it left.
    await random
      .pick(ACTIONS)(world, random.pick(buyers))
      .catch(() => {});
  }
  await sendWebhooks(world).catch(() => {});
  server.clock.at += STEP_MS;
  server.fake.evictKeys(); // Stripe keeps them for a day
  await runJobs(server);
}

/** Runs the jobs of payments. One that crashes is run again the next time. */
async function runJobs({ billing, platform }: StripeServer): Promise<void> {
  const automaticPayments = platform.jobs.find(({ name }) => name === "buy credits by automatic payments");
  if (!automaticPayments) throw new Error("There is no job of automatic payments.");
  const { notices, renewals, dunning, payments, paymentWebhooks, paymentMethods, reconciliation } = billing;
  for (const run of [
    notices.run,
    renewals.run,
    dunning.run,
    automaticPayments.run,
    payments.recover,
    paymentWebhooks.replay,
    paymentMethods.removeAtService,
    reconciliation.run,
  ])
    await run().catch(() => {});
}

async function createWorld(seed: number): Promise<World> {
  const server = await createStripeServer();
  onTestFinished(() => server.close());
  const random = createRandom(seed);
  const buyers: Buyer[] = [];
  for (let count = 0; count < ORGANIZATIONS; count++) buyers.push(await server.createBuyer());
  for (const [code, rate] of Object.entries(RATES))
    await server.db
      .insertInto("currencies")
      .values({ code, units_per_usd: String(rate) })
      .execute();
  for (const [index, buyer] of buyers.entries()) {
    const body = { currency: CURRENCIES[index % CURRENCIES.length] };
    await server.call("/api/organization/billing-details", { method: "PUT", token: buyer.key, body });
  }
  await prepareCrashes(server);
  const { token: adminToken } = await server
    .createKey(await server.signInAdmin(), { scopes: ["admin"] })
    .then(({ secret }) => ({ token: secret }));
  return { server, random, buyers, seen: server.fake.store.events.length, queue: [], adminToken };
}

/** Lets everything that is under way end, without faults. */
async function settle({ server }: World): Promise<void> {
  server.fake.recover();
  await sql`update crash_at set step = 0`.execute(server.db);
  for (let day = 0; day < 3; day++) {
    server.clock.at += DAY_MS + HOUR_MS;
    await server.billing.payments.recover();
    await server.billing.paymentWebhooks.replay();
    await server.billing.reconciliation.check();
  }
}

async function expectOnceCharged({ server }: World): Promise<void> {
  const charges = [...server.fake.store.charges.values()];
  const ids = charges.map(({ metadata }) => (metadata as { payment_id: string }).payment_id);
  expect(new Set(ids).size).toBe(ids.length);
  const paid = await server.db
    .selectFrom("payments")
    .select(["id", "amount_cents", "currency"])
    .where("status", "=", "succeeded")
    .execute();
  const amounts = new Map(charges.map(({ amount, currency }, index) => [ids[index], `${amount} ${currency}`]));
  const ours = paid.map(({ id, amount_cents, currency }) => ({
    id,
    charged: `${amount_cents} ${currency.toLowerCase()}`,
  }));
  expect(ours.filter(({ id, charged }) => amounts.get(id) !== charged)).toEqual([]);
  expect(paid.length).toBe(ids.length);
}

async function expectInvoicesPaidOnce({ server }: World): Promise<void> {
  const { rows } = await sql<{ number: string }>`
    select i.number from invoices i left join payments p on p.invoice_id = i.id and p.status = 'succeeded'
    where i.status = 'paid' and i.total_cents > 0
    group by i.id, i.number, i.total_cents having count(p.id) <> 1 or sum(p.amount_cents) <> i.total_cents`.execute(
    server.db,
  );
  expect(rows).toEqual([]);
}

/** Credit notes that count are about just what was given back. */
async function expectNotesOfRefunds({ server }: World): Promise<void> {
  const { rows } = await sql<{ number: string }>`
    select i.number from invoices i left join credit_notes n on n.invoice_id = i.id and n.withdrawn_at is null
    group by i.id, i.number, i.refunded_cents having coalesce(sum(n.total_cents), 0) <> i.refunded_cents`.execute(
    server.db,
  );
  expect(rows).toEqual([]);
}

/** Returns the number of automatic payments that succeeded, after checking the limit of each month. */
async function countAutomaticPayments({ server }: World): Promise<number> {
  const { rows } = await sql<{ sum: string; count: number }>`
    select sum(ceil(amount_cents * 100 / minor_per_usd)) as sum, count(*)::integer as count from payments
    where is_automatic and status = 'succeeded' group by organization_id, date_trunc('month', created_at, 'UTC')`.execute(
    server.db,
  );
  expect(rows.filter(({ sum }) => Number(sum) > MONTHLY_LIMIT_CENTS)).toEqual([]);
  return rows.reduce((total, { count }) => total + count, 0);
}

test.each(Array.from({ length: YEARS }, (_, year) => FIRST_SEED + year))(
  "a year of purchases, automatic payments, refunds, disputes, crashes and lost webhooks adds up to the cent with Stripe (seed %i)",
  { timeout: TIMEOUT_MS },
  async (seed) => {
    const world = await createWorld(seed);
    for (let step = 0; step < STEPS; step++) await runStep(world);
    await settle(world);
    const { server } = world;
    expect((await server.billing.reconciliation.latest())?.differences).toEqual([]);
    await expectOnceCharged(world);
    await expectInvoicesPaidOnce(world);
    await expectNotesOfRefunds(world);
    expect(await countAutomaticPayments(world)).toBeGreaterThan(2);
    await server.verifyBooks();
    // The year had something of everything.
    const { charges, refunds, disputes } = server.fake.store;
    expect(new Set([...charges.values()].map(({ currency }) => currency)).size).toBe(CURRENCIES.length);
    expect(charges.size).toBeGreaterThan(40);
    expect(refunds.size).toBeGreaterThan(5);
    expect(disputes.size).toBeGreaterThan(5);
    const { rows } = await sql<{ count: number }>`select last_value::integer as count from crashes`.execute(server.db);
    expect(rows[0]?.count).toBeGreaterThan(2);
  },
);
