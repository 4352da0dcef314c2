import { z } from "zod";
import { httpUrl, onOff, percent, type SettingDeclarations, type SettingsOf } from "../../platform/core/settings.ts";

const MAX_RETRY_DAYS = 60;
const WORD = "[A-Za-z0-9_]+";

/** How plans and credits are sold. */
export const billingSettings = {
  payments: {
    env: "FEATHER_PAYMENTS",
    doc: "How plans and credits are paid for: off sells nothing; test takes test cards, moves no money, and is refused where other machines can reach the server; stripe is paid through Stripe and needs STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PUBLISHABLE_KEY. By default test where only this machine can, otherwise off.",
    schema: z.enum(["off", "test", "stripe"]).optional(),
    default: undefined,
    defaultByExposure: true,
  },
  stripeSecretKey: {
    env: "STRIPE_SECRET_KEY",
    doc: "The secret key of the Stripe account; a restricted key is enough. A key of Stripe's test mode moves no money.",
    schema: z
      .string()
      .regex(new RegExp(`^(sk|rk)_(test|live)_${WORD}$`), "must begin with sk_test_, sk_live_, rk_test_ or rk_live_")
      .optional(),
    default: undefined,
    secret: true,
  },
  stripeWebhookSecret: {
    env: "STRIPE_WEBHOOK_SECRET",
    doc: "The signing secret of the webhook endpoint at Stripe that points to /api/payments/stripe/webhook.",
    schema: z
      .string()
      .regex(new RegExp(`^whsec_${WORD}$`), "must begin with whsec_")
      .optional(),
    default: undefined,
    secret: true,
  },
  stripePublishableKey: {
    env: "STRIPE_PUBLISHABLE_KEY",
    doc: "The publishable key of the same account and mode, which browsers use for the card form.",
    schema: z
      .string()
      .regex(new RegExp(`^pk_(test|live)_${WORD}$`), "must begin with pk_test_ or pk_live_")
      .optional(),
    default: undefined,
  },
  stripeApiBase: {
    env: "STRIPE_API_BASE",
    doc: "Address of a stand-in for Stripe's API, for tests; by default https://api.stripe.com.",
    schema: httpUrl.optional(),
    default: undefined,
  },
  trials: {
    env: "FEATHER_TRIALS",
    doc: "Whether plans may be tried; how long, each plan says.",
    schema: onOff,
    default: "on",
  },
  retryDays: {
    env: "FEATHER_DUNNING_DAYS",
    doc: "Days after an invoice on which a card that was declined is charged again, ascending and by comma. After the last attempt the plan ends. none: it ends after the first one.",
    schema: z
      .string()
      .regex(/^(none|\d{1,2}(,\d{1,2}){0,9})$/, "must be none, or at most ten numbers of days, such as 1,3,5,7")
      .transform((text) => (text === "none" ? [] : text.split(",").map(Number)))
      .refine(isAscending, "must ascend from 1 to at most 60 days"),
    default: "1,3,5,7",
  },
  taxPercent: {
    env: "FEATHER_TAX_PERCENT",
    doc: "Tax that is added to prices, in percent.",
    schema: percent,
    default: "0",
  },
} as const satisfies SettingDeclarations;

function isAscending(days: readonly number[]): boolean {
  return days.every((day, index) => day > (days[index - 1] ?? 0) && day <= MAX_RETRY_DAYS);
}

/** The settings of billing. */
export type BillingSettings = SettingsOf<typeof billingSettings>;

const isTestKey = (key: string) => /^[a-z]+_test_/.test(key);

/** Returns whether the keys are of Stripe's test mode, in which no money moves. */
export function isStripeTestMode({ stripeSecretKey }: Pick<BillingSettings, "stripeSecretKey">): boolean {
  return stripeSecretKey !== undefined && isTestKey(stripeSecretKey);
}

/** Returns what is missing or contradictory where payments are made through Stripe, for the operator. */
export function findStripeProblems(settings: Partial<BillingSettings>): string[] {
  if (settings.payments !== "stripe") return [];
  const { stripeSecretKey, stripeWebhookSecret, stripePublishableKey } = settings;
  const needed = {
    STRIPE_SECRET_KEY: stripeSecretKey,
    STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
    STRIPE_PUBLISHABLE_KEY: stripePublishableKey,
  };
  const problems = Object.entries(needed)
    .filter(([, value]) => value === undefined)
    .map(
      ([name]) => `FEATHER_PAYMENTS: stripe needs ${name}, which Stripe shows under Developers; see /docs/payments.`,
    );
  if (
    stripeSecretKey !== undefined &&
    stripePublishableKey !== undefined &&
    isTestKey(stripeSecretKey) !== isTestKey(stripePublishableKey)
  )
    problems.push("STRIPE_PUBLISHABLE_KEY: must be of the same mode as STRIPE_SECRET_KEY, test or live.");
  return problems;
}
