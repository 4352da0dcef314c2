import type { Plan, PlanCreate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import type { FormField } from "#/components/ui/forms/form.tsx";
import { formatMoney, parseCents, parseMoney, toTypedMoney } from "#/entities/money/money.ts";
import { optionalInteger, optionalText, parseNumber, requiredInteger, requiredText } from "../forms/field-schemas.ts";

const nonEmptyLines = (value: string): string[] =>
  value
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** Returns the prices of lines such as `EUR 23.50`; null if one is not valid. */
function parsePrices(text: string): { currency: string; price_cents: number }[] | null {
  const prices = nonEmptyLines(text).map((line) => {
    const [, code = "", amount = ""] = /^([A-Za-z]{3})\s+(\S+)$/.exec(line) ?? [];
    const currency = code.toUpperCase();
    return { currency, price_cents: currency === "" ? null : parseMoney(amount, currency) };
  });
  return prices.every((price): price is { currency: string; price_cents: number } => price.price_cents !== null)
    ? prices
    : null;
}

/** Validates the form of a plan. An empty limit means unlimited. */
export const planSchema = z
  .object({
    name: requiredText(t`Name`, { max: 64 }),
    price: z.string().refine((value) => value.trim() === "" || parseCents(value) !== null, {
      error: t`Price is not valid: dollars such as 25 or 12.50, or nothing.`,
    }),
    prices: z.string().refine((value) => parsePrices(value) !== null, {
      error: t`Prices are not valid: one a line, such as EUR 23.`,
    }),
    interval: z.enum(["month", "year"]),
    audience: z.enum(["individual", "business", "custom"]),
    billing_mode: z.enum(["subscription", "request_pricing"]),
    trial_days: requiredInteger(t`Trial`, { min: 0, max: 365 }),
    concurrency: optionalInteger(t`Units`, { min: 1, max: 1_000_000 }),
    model_switches_per_minute: optionalInteger(t`Models in a minute`, { min: 1, max: 1_000_000 }),
    priority: z.enum(["interactive", "batch"]),
    max_model_size: optionalInteger(t`Largest model`, { min: 1, max: 100_000_000_000_000 }),
    max_context_length: optionalInteger(t`Longest context`, { min: 1, max: 100_000_000 }),
    daily_request_limit: optionalInteger(t`Requests a day`, { min: 1, max: 1_000_000_000 }),
    private_models: optionalInteger(t`Private models`, { min: 0, max: 10_000 }),
    api_keys_max: requiredInteger(t`API keys`, { min: 0, max: 10_000 }),
    min_quantity: requiredInteger(t`Least quantity`, { min: 1, max: 1000 }),
    max_quantity: requiredInteger(t`Largest quantity`, { min: 1, max: 1000 }),
    description: optionalText(t`Description`, 1000),
    features: z
      .string()
      .refine(
        (value) => nonEmptyLines(value).length <= 30 && nonEmptyLines(value).every((line) => line.length <= 200),
        {
          error: t`Lines are not valid: at most 30, of at most 200 characters.`,
        },
      ),
    unit_based: z.boolean(),
    private_cloud: z.boolean(),
    is_public: z.boolean(),
  })
  .refine((plan) => (parseNumber(plan.min_quantity) ?? 1) <= (parseNumber(plan.max_quantity) ?? 1), {
    path: ["max_quantity"],
    error: t`Largest quantity is smaller than the least.`,
  });
/** Form values of a plan. */
export type PlanValues = z.infer<typeof planSchema>;

/** Initial values of the form for a new plan. */
export const NEW_PLAN: PlanValues = {
  name: "",
  price: "",
  prices: "",
  interval: "month",
  audience: "individual",
  billing_mode: "subscription",
  trial_days: "0",
  concurrency: "",
  model_switches_per_minute: "",
  priority: "interactive",
  max_model_size: "",
  max_context_length: "",
  daily_request_limit: "",
  private_models: "0",
  api_keys_max: "100",
  min_quantity: "1",
  max_quantity: "1",
  description: "",
  features: "",
  unit_based: false,
  private_cloud: false,
  is_public: false,
};

const toFieldText = (value: number | null): string => (value === null ? "" : String(value));

/** Returns the form values of a plan. */
export function toPlanValues(plan: Plan): PlanValues {
  return {
    name: plan.name,
    price: plan.price_usd_cents === null ? "" : (plan.price_usd_cents / 100).toFixed(2).replace(/\.00$/, ""),
    prices: plan.prices
      .filter(({ is_converted }) => !is_converted)
      .map(({ currency, price_cents }) => `${currency} ${toTypedMoney(price_cents, currency)}`)
      .join("\n"),
    interval: plan.interval,
    audience: plan.audience,
    billing_mode: plan.billing_mode,
    trial_days: toFieldText(plan.trial_days),
    concurrency: toFieldText(plan.concurrency),
    model_switches_per_minute: toFieldText(plan.model_switches_per_minute),
    priority: plan.priority,
    max_model_size: toFieldText(plan.max_model_size),
    max_context_length: toFieldText(plan.max_context_length),
    daily_request_limit: toFieldText(plan.daily_request_limit),
    private_models: toFieldText(plan.private_models),
    api_keys_max: toFieldText(plan.api_keys_max),
    min_quantity: toFieldText(plan.min_quantity),
    max_quantity: toFieldText(plan.max_quantity),
    description: plan.description,
    features: plan.features.join("\n"),
    unit_based: plan.unit_based,
    private_cloud: plan.private_cloud,
    is_public: plan.is_public,
  };
}

/** Converts form values to the request body. */
export function toPlanBody(values: PlanValues): Required<Omit<PlanCreate, "id">> {
  return {
    name: values.name.trim(),
    description: values.description,
    audience: values.audience,
    billing_mode: values.billing_mode,
    price_usd_cents: values.price.trim() === "" ? null : parseCents(values.price),
    prices: parsePrices(values.prices) ?? [],
    interval: values.interval,
    unit_based: values.unit_based,
    min_quantity: parseNumber(values.min_quantity) ?? 1,
    max_quantity: parseNumber(values.max_quantity) ?? 1,
    concurrency: parseNumber(values.concurrency),
    max_model_size: parseNumber(values.max_model_size),
    max_context_length: parseNumber(values.max_context_length),
    model_switches_per_minute: parseNumber(values.model_switches_per_minute),
    priority: values.priority,
    daily_request_limit: parseNumber(values.daily_request_limit),
    private_models: parseNumber(values.private_models),
    private_cloud: values.private_cloud,
    api_keys_max: parseNumber(values.api_keys_max) ?? 0,
    trial_days: parseNumber(values.trial_days) ?? 0,
    features: nonEmptyLines(values.features),
    is_public: values.is_public,
  };
}

const NO_LIMIT_HINT = t`Empty: no limit.`;

/** Returns the fields of the plan form. Prices in other currencies are among them where there are any. */
export function listPlanFields(currencies: readonly string[], plan?: Plan): readonly FormField<PlanValues>[] {
  if (currencies.length < 2) return PLAN_FIELDS;
  const converted = (plan?.prices ?? [])
    .filter(({ is_converted }) => is_converted)
    .map(({ currency, price_cents }) => formatMoney(price_cents, currency))
    .join(", ");
  const prices: FormField<PlanValues> = {
    name: "prices",
    label: t`Prices in other currencies`,
    kind: "text",
    rows: 3,
    hint:
      converted === ""
        ? t`One a line, such as EUR 23. Without one, the price in dollars is converted at the rate of the currency.`
        : t`One a line, such as EUR 23. Without one, the price in dollars is converted at the rate of the currency: ${converted} now.`,
  };
  return PLAN_FIELDS.flatMap((field) => (field.name === "price" ? [field, prices] : [field]));
}

/** Fields of the plan form. */
const PLAN_FIELDS: readonly FormField<PlanValues>[] = [
  { name: "name", label: t`Name` },
  { name: "price", label: t`Price in dollars`, inputMode: "decimal", hint: t`Empty: people have to talk to you.` },
  {
    name: "interval",
    label: t`Paid every`,
    kind: "choice",
    options: [
      { value: "month", label: t`Month` },
      { value: "year", label: t`Year` },
    ],
  },
  {
    name: "billing_mode",
    label: t`Billing`,
    kind: "choice",
    options: [
      { value: "subscription", label: t`Flat, by subscription` },
      { value: "request_pricing", label: t`By the request, from credits` },
    ],
  },
  {
    name: "audience",
    label: t`Made for`,
    kind: "choice",
    options: [
      { value: "individual", label: t`One person` },
      { value: "business", label: t`A business` },
      { value: "custom", label: t`One customer` },
    ],
  },
  { name: "trial_days", label: t`Trial, in days`, inputMode: "numeric" },
  { name: "concurrency", label: t`Units at a time`, inputMode: "numeric", hint: NO_LIMIT_HINT },
  {
    name: "model_switches_per_minute",
    label: t`Different models in a minute`,
    inputMode: "numeric",
    hint: NO_LIMIT_HINT,
  },
  {
    name: "priority",
    label: t`Priority`,
    kind: "choice",
    options: [
      { value: "interactive", label: t`Before batches` },
      { value: "batch", label: t`After everyone else` },
    ],
    hint: t`Where calls wait for units or for a model here.`,
  },
  { name: "max_model_size", label: t`Largest model, in parameters`, inputMode: "numeric", hint: NO_LIMIT_HINT },
  {
    name: "max_context_length",
    label: t`Longest context, in tokens`,
    inputMode: "numeric",
    hint: t`Empty: the model's own.`,
  },
  { name: "daily_request_limit", label: t`Requests a day`, inputMode: "numeric", hint: NO_LIMIT_HINT },
  { name: "private_models", label: t`Private models`, inputMode: "numeric", hint: NO_LIMIT_HINT },
  { name: "api_keys_max", label: t`API keys`, inputMode: "numeric" },
  { name: "unit_based", label: t`Bought in a quantity`, kind: "check" },
  { name: "min_quantity", label: t`Least quantity`, inputMode: "numeric" },
  { name: "max_quantity", label: t`Largest quantity`, inputMode: "numeric" },
  { name: "description", label: t`Description`, kind: "text", rows: 2 },
  { name: "features", label: t`Lines of the price list`, kind: "text", rows: 4, hint: t`One a line.` },
  { name: "private_cloud", label: t`May make deployments`, kind: "check" },
  { name: "is_public", label: t`On sale`, kind: "check" },
];
