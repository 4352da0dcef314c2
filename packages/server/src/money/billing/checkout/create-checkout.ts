import { createCheckout } from "./checkout.ts";
import { createPaymentPages } from "./payment-pages.ts";
import { createPortal } from "./portal.ts";
import { createTestPages } from "./test-payment-pages.ts";

type Needs<Create extends (deps: never) => unknown> = Parameters<Create>[0];
type Deps = Omit<
  Needs<typeof createCheckout> & Needs<typeof createPortal> & Needs<typeof createPaymentPages>,
  "checkout" | "portal"
> & {
  /** What the pages of the test driver need; null with other drivers. */
  testPages: Omit<Needs<typeof createTestPages>, "checkout" | "portal"> | null;
};

/** Wires the checkout, the portal of customers, and the pages of both. */
export function createCheckoutPages({ testPages, ...deps }: Deps) {
  const checkout = createCheckout(deps);
  const portal = createPortal(deps);
  return {
    checkout,
    portal,
    testPages: testPages && createTestPages({ ...testPages, checkout, portal }),
    pages: createPaymentPages({ ...deps, checkout, portal }),
  };
}
