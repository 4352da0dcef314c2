import type { MarketplaceDriver } from "./marketplace.usecases.ts";

const TOKEN = /^test_([A-Za-z0-9-]{1,64})_([a-z][a-z0-9_]{0,63})$/;

/** The built-in test marketplace: its tokens contain customer and product. */
export const testMarketplaceDriver: MarketplaceDriver = {
  isTest: true,
  async resolve(_provider, token) {
    const [, customerId, product] = TOKEN.exec(token) ?? [];
    return customerId === undefined || product === undefined ? null : { customerId, product };
  },
};
