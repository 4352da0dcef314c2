import type { PaymentDriver } from "../../payment-services/index.ts";
import type { Buyer } from "../buyer.ts";
import type { ChangeRequest } from "../subscriptions/pricing.ts";
import type { SubscriptionUseCases } from "../subscriptions/subscriptions.usecases.ts";
import type { Checkout } from "./checkout.ts";
import type { Portal } from "./portal.ts";

type Deps = {
  publicUrl: string;
  driver: PaymentDriver;
  checkout: Checkout;
  portal: Portal;
  subscriptions: SubscriptionUseCases;
  /** Returns the address of a page of the test driver; `token` is its secret. */
  pageUrl(token: string): string;
};

/** Pages where a buyer pays and keeps cards: those of the test driver, otherwise the site's own, which lead to the service. */
export function createPaymentPages({ publicUrl, driver, checkout, portal, subscriptions, pageUrl }: Deps) {
  const usesSite = driver.name !== "test" && driver.name !== "off";
  return {
    /** Returns the address of the page where a plan is bought. Throws when the plan cannot be bought. */
    async createCheckoutUrl(buyer: Buyer, changeRequest: ChangeRequest): Promise<string> {
      if (!usesSite) return pageUrl(await checkout.createSession(buyer, changeRequest));
      const { plan, quantity } = await subscriptions.quotePurchase(buyer, changeRequest);
      return `${publicUrl}/subscription/change?${new URLSearchParams({ plan: plan.id, quantity: String(quantity) })}`;
    },
    /** Returns the address of the page for cards and invoices. */
    createPortalUrl: async (buyer: Buyer): Promise<string> =>
      usesSite ? `${publicUrl}/account/payment-methods` : pageUrl(await portal.createSession(buyer)),
  };
}
