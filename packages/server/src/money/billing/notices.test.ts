import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, createBillingServer } from "../../testing/billing.ts";

let server: BillingServer;
const START = "2026-01-31T10:00:00Z";
beforeAll(async () => {
  server = await createBillingServer(START);
  const { token } = await server.signInAdmin();
  const plan = (body: object) => server.call("/api/admin/plans", { token, body });
  await plan({ id: "tried", name: "Tried", price_usd_cents: 900, trial_days: 14 });
  await plan({ id: "yearly", name: "Yearly", price_usd_cents: 9000, interval: "year" });
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

let cards = 0;
/** Each trial needs a different card: returns Visa numbers with a valid check digit. */
function newCard(): string {
  const body = `400000${String(50_000_000 + cards++).padStart(9, "0")}`;
  const sum = [...body].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 0 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}
async function on(plan_id: string): Promise<Buyer> {
  server.clock.at = Date.parse(START);
  const who = await server.createBuyer(newCard());
  expect((await server.change(who, { plan_id })).status).toBe(200);
  return who;
}
const listNotices = async (who: Buyer, kind: string) =>
  (await server.listMails(who.email)).filter((mail) => mail.kind === kind).map(({ body }) => body);
/** Moves the clock without running jobs one day earlier, then runs the jobs that are due, as after a downtime. */
async function wakeUpAt(date: string): Promise<void> {
  server.clock.at = Date.parse(date);
  await server.runJobs();
}

describe("the end of a trial", () => {
  test("the end of a trial is announced once three days before, and then charged", async () => {
    const who = await on("tried");
    await wakeUpAt("2026-02-11T09:00:00Z");
    expect(await listNotices(who, "trial_ending")).toEqual([]);
    await wakeUpAt("2026-02-11T10:00:00Z");
    await wakeUpAt("2026-02-12T10:00:00Z");
    const mails = await listNotices(who, "trial_ending");
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain("Your trial of Tried ends on 14 Feb 2026.");
    expect(mails[0]).toContain("Then $9.00 a month is charged to the card that ends in");
    await wakeUpAt("2026-02-14T10:00:00Z");
    expect(await server.chargedCents(who)).toBe(900);
  });

  test("the end of a trial is charged three days after a notice that a downtime delayed", async () => {
    const who = await on("tried");
    await wakeUpAt("2026-02-15T10:00:00Z");
    expect(await listNotices(who, "trial_ending")).toHaveLength(1);
    expect(await server.chargedCents(who)).toBe(0);
    await wakeUpAt("2026-02-18T09:59:59Z");
    expect(await server.chargedCents(who)).toBe(0);
    await wakeUpAt("2026-02-18T10:00:00Z");
    expect(await server.chargedCents(who)).toBe(900);
    expect(await listNotices(who, "trial_ending")).toHaveLength(1);
  });

  test("the end of a trial is not announced after a cancellation", async () => {
    const who = await on("tried");
    await server.call("/api/subscription", { method: "DELETE", token: who.key });
    await wakeUpAt("2026-02-13T10:00:00Z");
    expect(await listNotices(who, "trial_ending")).toEqual([]);
  });
});

describe("a yearly renewal", () => {
  test("a yearly renewal is announced seven days before, unlike a monthly one", async () => {
    const [yearly, monthly] = [await on("yearly"), await on("feather_basic")];
    await wakeUpAt("2027-01-23T10:00:00Z");
    expect(await listNotices(yearly, "renewal_ahead")).toEqual([]);
    await wakeUpAt("2027-01-24T10:00:00Z");
    expect(await listNotices(yearly, "renewal_ahead")).toEqual([expect.stringContaining("renewed on 31 Jan 2027")]);
    await wakeUpAt("2027-01-31T10:00:00Z");
    expect(await server.chargedCents(yearly)).toBe(18_000);
    expect(await listNotices(monthly, "renewal_ahead")).toEqual([]);
  });
});

describe("a card that expires", () => {
  test("a card that expires is announced once in its last thirty days if it pays for a plan", async () => {
    const [who, without] = [await on("feather_basic"), await server.createBuyer(newCard())];
    await server.db.updateTable("payment_methods").set({ exp_month: 3, exp_year: 2026 }).execute();
    await wakeUpAt("2026-03-01T10:00:00Z");
    expect(await listNotices(who, "card_expiring")).toEqual([]);
    await wakeUpAt("2026-03-03T10:00:00Z");
    await wakeUpAt("2026-03-20T10:00:00Z");
    expect(await listNotices(who, "card_expiring")).toEqual([expect.stringContaining("expires at the end of 3/2026")]);
    expect(await listNotices(without, "card_expiring")).toEqual([]);
  });
});
