import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import type {
  MarketplaceDriver,
  Purchase,
  PurchasedItem,
  ReceivedNotification,
  UsageReport,
} from "../marketplace-driver.ts";

/** What a customer of a marketplace has bought, with the token with which the buyer comes here. */
export type Sale = { id: string; token: string };

/** A marketplace with what customers do at it. */
export type MarketplaceUnderTest = {
  driver: MarketplaceDriver;
  /** Whether a customer can buy several units of a plan. */
  sellsUnits: boolean;
  /** A customer buys these. */
  buy(item: PurchasedItem): Sale;
  expireToken(sale: Sale): void;
  /** The customer changes what they have, as far as the marketplace lets them. */
  change(sale: Sale, item: PurchasedItem): void;
  end(sale: Sale): void;
  /** Null where the marketplace suspends no purchases. */
  suspension: { suspend(sale: Sale): void; resume(sale: Sale): void } | null;
  /** Returns a notification about a sale, as it arrives; the same one each time. */
  notify(sale: Sale): Promise<ReceivedNotification>;
  /** Returns a notification whose sender is somebody else. */
  forge(sale: Sale): Promise<ReceivedNotification>;
  /** Makes the next requests fail because there are too many. */
  throttle(times: number): void;
  recover(): void;
  metering: {
    now(): Date;
    /** A dimension in which usage is counted. */
    dimension: string;
    /** Returns how many units of a sale the marketplace bills. */
    countUnits(sale: Sale): number;
    /** Lets the marketplace answer that it did not process the next report. */
    failToProcess(): void;
    /** Makes the next requests that report usage lose their answers, after they were carried out. */
    loseAnswers(times: number): void;
  };
  close(): Promise<void>;
};

/** More than any driver repeats a request. */
const FOR_LONG = 100;

/** Tests what every driver of a marketplace must do. `create` starts the marketplace. */
export function describeMarketplaceDriver(name: string, create: () => Promise<MarketplaceUnderTest>): void {
  let marketplace: MarketplaceUnderTest;
  beforeAll(async () => {
    marketplace = await create();
  });
  afterAll(() => marketplace.close());

  const itemOf = (offer: string, quantity = 3) => ({ offer, quantity: marketplace.sellsUnits ? quantity : 1 });
  const buy = () => marketplace.buy(itemOf("feather_scale"));
  const find = async ({ reference }: Purchase) => marketplace.driver.find(reference);

  async function resolve({ token }: Sale): Promise<Purchase> {
    const { exchangeToken } = marketplace.driver;
    const held = exchangeToken ? await exchangeToken(token) : token;
    const purchase = held === null ? null : await marketplace.driver.resolve(held);
    if (!purchase) throw new Error("The token was refused.");
    return purchase;
  }
  /** Returns a purchase that has begun. */
  async function begin(sale: Sale): Promise<Purchase> {
    const purchase = await resolve(sale);
    if (purchase.awaits !== null) await marketplace.driver.confirm(purchase);
    const begun = await find(purchase);
    if (!begun) throw new Error("The purchase is not there.");
    return begun;
  }

  describe(`purchases of the ${name} driver`, () => {
    test(`the ${name} driver resolves a token to what was bought`, async () => {
      const purchase = await resolve(buy());
      expect(purchase).toMatchObject({ items: [itemOf("feather_scale")], customerId: expect.stringMatching(/./) });
    });

    test(`the ${name} driver returns nothing for a token that is invalid or expired`, async () => {
      const sale = buy();
      marketplace.expireToken(sale);
      for (const token of [sale.token, "made-up"]) {
        expect(await marketplace.driver.resolve(token)).toBeNull();
        if (marketplace.driver.exchangeToken) expect(await marketplace.driver.exchangeToken(token)).toBeNull();
      }
    });

    test(`the ${name} driver finds a purchase active once it is confirmed, also when that happens twice`, async () => {
      const purchase = await resolve(buy());
      for (let time = 0; time < 2; time++) await marketplace.driver.confirm(purchase);
      expect(await find(purchase)).toMatchObject({ state: "active", items: [itemOf("feather_scale")], awaits: null });
    });

    test(`the ${name} driver tells two purchases apart`, async () => {
      const items = [itemOf("feather_scale"), itemOf("feather_max", 4)] as const;
      const [one, two] = [await begin(marketplace.buy(items[0])), await begin(marketplace.buy(items[1]))];
      expect([await find(one), await find(two)]).toMatchObject([{ items: [items[0]] }, { items: [items[1]] }]);
    });

    test(`the ${name} driver finds what a purchase was changed to`, async () => {
      const sale = buy();
      const purchase = await begin(sale);
      const changed = itemOf("feather_max", 5);
      marketplace.change(sale, changed);
      const waiting = await find(purchase);
      if (waiting && waiting.awaits !== null) await marketplace.driver.confirm(waiting);
      expect(await find(purchase)).toMatchObject({ state: "active", items: [changed], awaits: null });
    });

    test(`the ${name} driver finds that a purchase is over`, async () => {
      const sale = buy();
      const purchase = await begin(sale);
      marketplace.end(sale);
      const found = await find(purchase);
      expect(found === null || found.state === "ended").toBe(true);
    });

    test(`the ${name} driver finds that a purchase is suspended and goes on, where the marketplace does that`, async () => {
      const sale = buy();
      const purchase = await begin(sale);
      marketplace.suspension?.suspend(sale);
      expect((await find(purchase))?.state).toBe(marketplace.suspension ? "suspended" : "active");
      marketplace.suspension?.resume(sale);
      expect((await find(purchase))?.state).toBe("active");
    });

    test(`the ${name} driver repeats a request that came too soon`, async () => {
      const purchase = await begin(buy());
      marketplace.throttle(1);
      expect(await find(purchase)).toMatchObject({ state: "active" });
    });

    test(`the ${name} driver says that the marketplace is not available when it refuses for long`, async () => {
      const purchase = await begin(buy());
      marketplace.throttle(FOR_LONG);
      await expect(find(purchase)).rejects.toMatchObject({ code: "marketplace.unavailable", status: 503 });
      marketplace.recover();
      expect(await find(purchase)).toMatchObject({ state: "active" });
    });
  });

  describe(`usage that the ${name} driver reports`, () => {
    let count = 0;
    const toReport = (purchase: Purchase, units: number, more: Partial<UsageReport> = {}): UsageReport => {
      const { now, dimension } = marketplace.metering;
      const endedAt = new Date(now().getTime() - MINUTE_MS);
      const [item] = purchase.items;
      if (!item || purchase.usageId === null) throw new Error("Usage of the purchase cannot be reported.");
      const { reference, usageId } = purchase;
      const times = { startedAt: new Date(endedAt.getTime() - MINUTE_MS), endedAt };
      return { id: `usage-${++count}`, reference, usageId, offer: item.offer, dimension, units, ...times, ...more };
    };
    const meter = (...reports: UsageReport[]) => marketplace.driver.meter(reports);

    test(`the ${name} driver reports usage of several purchases, which is counted once however often it is reported`, async () => {
      const sales = [buy(), buy()] as const;
      const reports = [toReport(await begin(sales[0]), 5), toReport(await begin(sales[1]), 7)] as const;
      for (let time = 0; time < 2; time++)
        expect(await meter(...reports)).toEqual([{ status: "accepted" }, { status: "accepted" }]);
      expect(sales.map(marketplace.metering.countUnits)).toEqual([5, 7]);
    });

    test(`usage of which the ${name} driver got no answer is counted once when it is reported again`, async () => {
      const sale = buy();
      const report = toReport(await begin(sale), 5);
      marketplace.metering.loseAnswers(FOR_LONG);
      await expect(meter(report)).rejects.toMatchObject({ code: "marketplace.unavailable" });
      marketplace.recover();
      expect(await meter(report)).toEqual([{ status: "accepted" }]);
      expect(marketplace.metering.countUnits(sale)).toBe(5);
    });

    test(`the ${name} driver says that usage may be taken later when the marketplace failed to process it`, async () => {
      const sale = buy();
      const report = toReport(await begin(sale), 5);
      marketplace.metering.failToProcess();
      expect(await meter(report)).toEqual([{ status: "later", reason: expect.stringMatching(/./) }]);
      expect(await meter(report)).toEqual([{ status: "accepted" }]);
      expect(marketplace.metering.countUnits(sale)).toBe(5);
    });

    test(`the ${name} driver says why one of several reports was refused, and reports the others`, async () => {
      const [wrong, right] = [buy(), buy()];
      const reports = [
        toReport(await begin(wrong), 5, { dimension: "made-up" }),
        toReport(await begin(right), 7),
      ] as const;
      const refused = { status: "refused", reason: expect.stringMatching(/./) };
      expect(await meter(...reports)).toEqual([refused, { status: "accepted" }]);
      expect([wrong, right].map(marketplace.metering.countUnits)).toEqual([0, 7]);
    });

    test(`usage of a purchase that is over is not taken from the ${name} driver`, async () => {
      const sale = buy();
      const report = toReport(await begin(sale), 5);
      marketplace.end(sale);
      expect(await meter(report)).toEqual([
        { status: expect.stringMatching(/refused|later/), reason: expect.stringMatching(/./) },
      ]);
      expect(marketplace.metering.countUnits(sale)).toBe(0);
    });

    test(`the ${name} driver says that usage is too late after a month, and not after an hour`, () => {
      const now = marketplace.metering.now();
      const isTooLate = (age: number) =>
        marketplace.driver.isTooLate({ startedAt: new Date(now.getTime() - age) }, now);
      expect([isTooLate(HOUR_MS), isTooLate(31 * DAY_MS)]).toEqual([false, true]);
    });
  });

  describe(`notifications of the ${name} driver`, () => {
    test(`the ${name} driver reads which purchase a notification is about, under one id however often it comes`, async () => {
      const sale = buy();
      const purchase = await begin(sale);
      const received = await marketplace.notify(sale);
      const first = await marketplace.driver.readNotification(received, new Date());
      expect(first?.reference === purchase.reference || first?.customerId === purchase.customerId).toBe(true);
      expect(await marketplace.driver.readNotification(await marketplace.notify(sale), new Date())).toEqual(first);
    });

    test(`the ${name} driver refuses a notification of somebody else`, async () => {
      const sale = buy();
      await begin(sale);
      const forged = marketplace.driver.readNotification(await marketplace.forge(sale), new Date());
      await expect(forged).rejects.toMatchObject({ code: "marketplace.notification_refused", status: 400 });
    });
  });
}
