import type { Handlers } from "../../platform/core/http/handlers.ts";
import { type PlansRepository, toCouponDto, toSubscriptionDto } from "../plans/index.ts";
import { toSubscriptionPreviewDto } from "./billing.dto.ts";
import type { Billing } from "./billing.ts";
import { type Buyer, toBuyer } from "./buyer.ts";

type Deps = { plansRepository: PlansRepository; billing: Billing };

/** Routes of an organization's own subscription: change, cancel, checkout, portal and coupons. */
export function subscriptionRoutes(deps: Deps): Handlers {
  return { ...changeRoutes(deps), ...couponRoutes(deps) };
}

/** Routes of changes, checkout, portal and the trial. */
function changeRoutes(deps: Deps): Handlers {
  const { subscriptions, cancellation, pages, trials, isTest } = deps.billing;

  return {
    "subscription.change": async ({ actor, body, request }) => {
      const buyer = toBuyer(actor);
      const changeRequest = {
        planId: body.plan_id,
        quantity: body.quantity,
        couponCode: body.coupon_code,
        setupIntent: body.setup_intent,
        trial: body.trial,
        currency: body.currency,
      };
      if (body.preview === true) {
        const { quote, currency } = await subscriptions.preview(buyer, changeRequest);
        return { preview: toSubscriptionPreviewDto(quote, currency), subscription: null, is_test: isTest };
      }
      await subscriptions.change(buyer, changeRequest, request.idempotencyId);
      return { preview: null, subscription: await currentSubscriptionDto(deps, buyer), is_test: isTest };
    },

    "subscription.cancel": async ({ actor }) => {
      const buyer = toBuyer(actor);
      await cancellation.cancel(buyer);
      return currentSubscriptionDto(deps, buyer);
    },

    "subscription.resume": async ({ actor }) => {
      const buyer = toBuyer(actor);
      await cancellation.resume(buyer);
      return currentSubscriptionDto(deps, buyer);
    },

    "subscription.checkout": async ({ actor, body }) => {
      const changeRequest = { planId: body.plan_id, quantity: body.quantity, currency: body.currency };
      return { url: await pages.createCheckoutUrl(toBuyer(actor), changeRequest), is_test: isTest };
    },

    "subscription.customerPortal": async ({ actor }) => ({
      url: await pages.createPortalUrl(toBuyer(actor)),
      is_test: isTest,
    }),

    "auth.trialEligibility": async ({ actor }) => {
      const { userId, organizationId } = actor;
      const [offered, eligible] = await Promise.all([trials.isOffered(), trials.isEligible(userId, organizationId)]);
      return { trial_eligible: offered && eligible };
    },
  };
}

/** Routes of the coupons of a subscription. */
function couponRoutes(deps: Deps): Handlers {
  const { subscriptionCoupons } = deps.billing;

  return {
    "subscription.coupons.get": async ({ actor, path, query }) => {
      const { coupon, reason } = await subscriptionCoupons.check(actor.organizationId, path.code, query.plan_id);
      return toCouponDto(coupon, reason);
    },

    "subscription.coupons.apply": async ({ actor, path }) => {
      const buyer = toBuyer(actor);
      await subscriptionCoupons.apply(buyer, path.code);
      return currentSubscriptionDto(deps, buyer);
    },

    "subscription.coupons.remove": async ({ actor }) => {
      const buyer = toBuyer(actor);
      await subscriptionCoupons.remove(buyer);
      return currentSubscriptionDto(deps, buyer);
    },

    "subscription.retentionCoupon.get": async ({ actor }) => {
      const coupon = await subscriptionCoupons.retentionOffer(actor.organizationId);
      return { coupon: coupon && toCouponDto(coupon, null) };
    },

    "subscription.retentionCoupon.apply": async ({ actor }) => {
      const buyer = toBuyer(actor);
      await subscriptionCoupons.acceptRetentionOffer(buyer);
      return currentSubscriptionDto(deps, buyer);
    },
  };
}

async function currentSubscriptionDto({ plansRepository }: Deps, { organizationId }: Buyer) {
  return toSubscriptionDto(await plansRepository.findCurrent(organizationId));
}
