import { errors } from "../../platform/core/errors/index.ts";
import type { MarketplaceDriver } from "./marketplace-driver.ts";

const TOKEN = /^test_([A-Za-z0-9-]{1,64})_([a-z][a-z0-9_]{0,63})$/;

/** The built-in test marketplace: its tokens contain customer and plan. It keeps nothing, so no purchase changes there. */
export const testMarketplaceDriver: MarketplaceDriver = {
  isTest: true,
  exchangeToken: null,
  async resolve(token) {
    const [, customerId, offer] = TOKEN.exec(token) ?? [];
    if (customerId === undefined || offer === undefined) return null;
    return {
      reference: customerId,
      customerId,
      items: [{ offer, quantity: 1 }],
      state: "active",
      awaits: null,
      usageId: customerId,
    };
  },
  find: async () => null,
  confirm: async () => {},
  reject: null,
  async readNotification() {
    throw errors.marketplace.notificationRefused("The test marketplace sends no notifications.");
  },
  meter: async (reports) => reports.map(() => ({ status: "accepted" })),
  isTooLate: () => false,
};
