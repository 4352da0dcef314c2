import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { presentCoupon, presentSubscription } from "../plans/plans.present.ts";
import type { PlansRepository } from "../plans/plans.repository.ts";
import { presentPreview } from "./billing.present.ts";
import type { Billing } from "./billing.ts";
import { type Buyer, toBuyer } from "./pricing.ts";

type Deps = { plans: PlansRepository; billing: Billing };

/** Routes of an organization's own subscription: change, cancel, checkout, portal and coupons. */
export function subscriptionRoutes({ plans, billing }: Deps): Handlers {
  const { subscriptions, endings, subscriptionCoupons, checkout, portal, trials, pageUrl, isTest } = billing;
  const present = async ({ organizationId }: Buyer) => presentSubscription(await plans.current(organizationId));

  return {
    "subscription.change": async ({ actor, body, request }) => {
      const buyer = toBuyer(signedIn(actor));
      const wish = {
        planId: body.plan_id,
        quantity: body.quantity,
        couponCode: body.coupon_code,
        setupIntent: body.setup_intent,
        trial: body.trial,
      };
      if (body.preview === true) {
        const preview = presentPreview(await subscriptions.preview(buyer, wish));
        return { preview, subscription: null, is_test: isTest };
      }
      await subscriptions.change(buyer, wish, request.idempotencyId);
      return { preview: null, subscription: await present(buyer), is_test: isTest };
    },

    "subscription.cancel": async ({ actor }) => {
      const buyer = toBuyer(signedIn(actor));
      await endings.cancel(buyer);
      return present(buyer);
    },

    "subscription.resume": async ({ actor }) => {
      const buyer = toBuyer(signedIn(actor));
      await endings.resume(buyer);
      return present(buyer);
    },

    "subscription.checkout": async ({ actor, body }) => {
      const token = await checkout.begin(toBuyer(signedIn(actor)), { planId: body.plan_id, quantity: body.quantity });
      return { url: pageUrl(token), is_test: isTest };
    },

    "subscription.customerPortal": async ({ actor }) => ({
      url: pageUrl(await portal.begin(toBuyer(signedIn(actor)))),
      is_test: isTest,
    }),

    "subscription.coupons.get": async ({ actor, path, query }) => {
      const { coupon, reason } = await subscriptionCoupons.check(
        signedIn(actor).organizationId,
        path.code,
        query.plan_id,
      );
      return presentCoupon(coupon, reason);
    },

    "subscription.coupons.apply": async ({ actor, path }) => {
      const buyer = toBuyer(signedIn(actor));
      await subscriptionCoupons.apply(buyer, path.code);
      return present(buyer);
    },

    "subscription.coupons.remove": async ({ actor }) => {
      const buyer = toBuyer(signedIn(actor));
      await subscriptionCoupons.remove(buyer);
      return present(buyer);
    },

    "subscription.retentionCoupon.get": async ({ actor }) => {
      const coupon = await subscriptionCoupons.retentionOffer(signedIn(actor).organizationId);
      return { coupon: coupon && presentCoupon(coupon, null) };
    },

    "subscription.retentionCoupon.apply": async ({ actor }) => {
      const buyer = toBuyer(signedIn(actor));
      await subscriptionCoupons.takeRetentionOffer(buyer);
      return present(buyer);
    },

    "auth.trialEligibility": async ({ actor }) => {
      const { userId, organizationId } = signedIn(actor);
      const [offered, eligible] = await Promise.all([trials.offered(), trials.eligible(userId, organizationId)]);
      return { trial_eligible: offered && eligible };
    },
  };
}
