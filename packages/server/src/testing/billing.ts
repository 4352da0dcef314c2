import { createTestClock } from "@feather/testing/clock";
import { expect } from "vitest";
import { verifyLedger } from "../money/ledger/verify-ledger.ts";
import { centsToNano } from "../platform/core/money.ts";
import { DAY_MS } from "../platform/core/time.ts";
import { listMessages } from "./outbox.ts";
import { type Account, type Answer, createTestServer, type TestServerOptions } from "./server.ts";

/** A customer. `key` remains valid when sessions expire as tests move the clock by months. */
export type Buyer = Account & { key: string };
/** Response of `GET /api/subscription`. */
export type Subscription = {
  id: string | null;
  status: string;
  plan: { id: string };
  quantity: number;
  current_period_start_date: string;
  current_period_end_date: string | null;
  cancel_at_period_end: boolean;
  coupon: { code: string } | null;
  pending_change: { plan_id: string; quantity: number; effective_date: string } | null;
  trial_end_date: string | null;
};
/** The preview of a change. */
export type Preview = {
  lines: { description: string; amount_cents: number }[];
  proration_cents: number;
  subtotal_cents: number;
  discount_cents: number;
  tax_cents: number;
  total_due_now_cents: number;
  next_invoice_cents: number;
  next_invoice_date: string | null;
};
/** An invoice in responses. */
export type Invoice = Omit<Preview, "total_due_now_cents"> & {
  id: string;
  number: string;
  status: string;
  total_cents: number;
  refunded_cents: number;
  period_start_date: string | null;
  period_end_date: string | null;
  is_test: boolean;
};

/** Numbers of test cards by behaviour. */
export const CARDS = {
  works: "4242424242424242",
  alsoWorks: "5555555555554444",
  declined: "4000000000000002",
  authenticatesOnce: "4000002500003155",
  authenticates: "4000002760003184",
  failsLater: "4000000000000341",
} as const;

/** A test server with a manual clock, and helpers for customers and billing. */
export async function createBillingServer(
  start = "2026-01-31T10:00:00Z",
  env: Record<string, string> = {},
  options: Pick<TestServerOptions, "startEngine" | "log" | "maxConnections" | "databaseNow" | "freeBytes"> = {},
) {
  const clock = createTestClock(start);
  const server = await createTestServer({ clock, env, ...options });
  // Plans are paid for immediately, unless a test adds a trial.
  await server.db.updateTable("plans").set({ trial_days: 0 }).execute();
  const { billing } = server.api;
  const jobs = () => server.platform.jobs.filter(({ name }) => /subscriptions|payments|commission/.test(name));

  /** Adds a test card. A number that is already in use creates another card. */
  async function addCard({ key }: Pick<Buyer, "key">, number: string = CARDS.works): Promise<Answer> {
    const intent = await server.call("/api/payment-methods/setup-intent", { method: "POST", token: key });
    const { id } = intent.body as { id: string };
    return server.call(`/api/payment-methods/setup-intent/${id}`, { token: key, body: { test_card: number } });
  }

  const clientInfo = { ip: "127.0.0.1", userAgent: undefined, language: null };
  let counter = 0;

  /** An account without a password, because hashing one is slow. */
  async function createAccount(email = `buyer${++counter}@example.com`): Promise<Account> {
    const name = email.slice(0, email.indexOf("@")).replaceAll(/[^a-z0-9]/g, "-");
    const now = clock.now();
    const fields = {
      createdAt: now,
      email,
      username: name,
      name,
      passwordHash: null,
      isAdmin: false,
      verifiedAt: now,
    };
    const created = await server.api.identity.usersRepository.create(fields);
    if (!created) throw new Error(`There is an account with the address ${email}.`);
    const { secret } = await server.api.identity.auth.startSession(created.userId, clientInfo, "password");
    return { ...created, token: secret, email };
  }

  /** The admin's current session. */
  let admin: Account | null = null;
  /** Creates a new session for the admin, since earlier ones may have expired. */
  async function signInAdmin(): Promise<Account> {
    admin ??= await server.signInAdmin();
    const { secret } = await server.api.identity.auth.startSession(admin.userId, clientInfo, "password");
    return { ...admin, token: secret };
  }

  async function createBuyer(card: string | null = CARDS.works, email?: string): Promise<Buyer> {
    const account = await createAccount(email);
    const { secret } = await server.createKey(account, {
      scopes: ["user.read", "user.write", "billing.write", "api.access"],
    });
    const created = { ...account, key: secret };
    if (card !== null) await addCard(created, card);
    return created;
  }

  const post = (who: Buyer, path: string, body?: object, headers: Record<string, string> = {}) =>
    server.call(path, { method: "POST", token: who.key, headers, ...(body && { body }) });
  const read = async <T>(who: Buyer, path: string) => (await server.call(path, { token: who.key })).body as T;

  return {
    ...server,
    signInAdmin,
    clock,
    createBuyer,
    addCard,
    post,
    read,
    change: (who: Buyer, body: object, headers?: Record<string, string>) =>
      post(who, "/api/subscription", body, headers),
    async preview(who: Buyer, body: object): Promise<Preview> {
      const answer = await post(who, "/api/subscription", { ...body, preview: true });
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      return (answer.body as { preview: Preview }).preview;
    },
    subscription: (who: Buyer) => read<Subscription>(who, "/api/subscription"),
    invoices: async (who: Buyer) => (await read<{ items: Invoice[] }>(who, "/api/invoices?perPage=100")).items,
    /** Returns what the card was charged minus refunds, in cents. */
    async chargedCents({ organizationId }: Buyer): Promise<number> {
      const rows = await server.db
        .selectFrom("test_charges")
        .innerJoin("payments", "payments.id", "test_charges.idempotency_key")
        .select(["test_charges.amount_cents", "test_charges.refunded_cents"])
        .where("payments.organization_id", "=", organizationId)
        .where("test_charges.status", "=", "succeeded")
        .execute();
      return rows.reduce((sum, { amount_cents, refunded_cents }) => sum + amount_cents - refunded_cents, 0);
    },
    /** Sets the clock and runs the jobs that are due. Notices that precede a charge run one day before. */
    async advanceTo(date: string): Promise<void> {
      clock.at = Math.max(clock.at, Date.parse(date) - DAY_MS);
      await billing.notices.run();
      clock.at = Date.parse(date);
      for (const job of jobs()) await job.run();
    },
    /** Does the same in steps of ten days, like a server that runs continuously. */
    async advanceStepwise(date: string): Promise<void> {
      const end = Date.parse(date);
      while (clock.at + 10 * DAY_MS < end) await this.advanceTo(new Date(clock.at + 10 * DAY_MS).toISOString());
      await this.advanceTo(date);
    },
    /** Runs the jobs without moving the clock. */
    async runJobs(): Promise<void> {
      for (const job of jobs()) await job.run();
    },
    listMails: (email: string) => listMessages(server, email),
    /** Opens a page of the test payment driver, or submits its form. */
    openPage: (url: string, form?: Record<string, string>) =>
      fetch(server.url + new URL(url).pathname, {
        redirect: "manual",
        ...(form && { method: "POST", body: new URLSearchParams(form) }),
      }),
    /** Checks that the ledger balances, and that cash equals what cards were charged and marketplaces paid. */
    async verifyBooks(): Promise<void> {
      expect(await verifyLedger(server.db)).toEqual([]);
      const { sum } = await server.db
        .selectFrom("test_charges")
        .select((eb) => eb.fn.sum<string>(eb("amount_cents", "-", eb.ref("refunded_cents"))).as("sum"))
        .where("status", "=", "succeeded")
        .executeTakeFirstOrThrow();
      const { paid } = await server.db
        .selectFrom("marketplace_payouts")
        .select((eb) => eb.fn.sum<string>("amount_cents").as("paid"))
        .where("reversed_at", "is", null)
        .executeTakeFirstOrThrow();
      expect(await server.api.ledger.balance("cash")).toBe(-centsToNano(Number(sum ?? 0) + Number(paid ?? 0)));
    },
    billing,
  };
}

export type BillingServer = Awaited<ReturnType<typeof createBillingServer>>;

/** Makes the same call several times concurrently; returns the number of responses by status. */
export async function callConcurrently(times: number, makeCall: (index: number) => Promise<{ status: number }>) {
  const answers = await Promise.all(Array.from({ length: times }, (_, index) => makeCall(index)));
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
