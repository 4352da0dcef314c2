import type { Scope } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { parseBudget } from "#/entities/money/budget.ts";
import { formatIsoDay } from "#/lib/format.ts";
import type { KeyFormValues } from "./key-form-values.ts";
import { isNetwork, parseAddressLines } from "./networks.ts";

/** The largest number of models that one key can be limited to. */
export const MAX_KEY_MODELS = 200;
/** The largest number of units that a key can be limited to. */
const MAX_KEY_UNITS = 1_000_000;
const MAX_ADDRESSES = 100;
const MAX_ADDRESS_LENGTH = 49;
/** The longest name of a key. */
export const MAX_KEY_NAME_LENGTH = 64;

type Options = {
  /** The current time. */
  now: Date;
  /** When the key expires so far: that day is valid also when it is over. */
  expiresAt: Date | null;
};

/** Returns the schema of the form of a key. */
export function createKeySchema({ now, expiresAt }: Options) {
  return z
    .object({
      name: z.string().refine((text) => text.trim() !== "" && text.trim().length <= MAX_KEY_NAME_LENGTH, {
        error: t`Give it a name of 1 to ${MAX_KEY_NAME_LENGTH} characters.`,
      }),
      scopes: z.array(z.custom<Scope>()).min(1, { error: t`Choose at least one.` }),
      model_choice: z.enum(["all", "some"]),
      allowed_models: z.array(z.string()),
      model_search: z.string(),
      share_choice: z.enum(["plan", "some"]),
      max_concurrency: z.string(),
      priority: z.enum(["interactive", "batch"]),
      spend_limit: z.string().refine((text) => text.trim() === "" || parseBudget(text) !== null, {
        error: t`Budget is not valid: write dollars, such as 5 or 2.50.`,
      }),
      limit_reset: z.enum(["none", "day", "week", "month"]),
      expiry: z.enum(["never", "30", "90", "day"]),
      expiry_day: z.string(),
      ip_allowlist: z.string().superRefine((text, context) => {
        for (const message of listAddressErrors(text)) context.addIssue({ code: "custom", message });
      }),
      enabled: z.boolean(),
    })
    .superRefine((values, context) => {
      const refuse = (field: keyof KeyFormValues, message: string | null) => {
        if (message !== null) context.addIssue({ code: "custom", path: [field], message });
      };
      refuse("allowed_models", getModelsError(values));
      refuse("max_concurrency", getUnitsError(values));
      refuse("expiry_day", getDayError(values, now, expiresAt));
    });
}

function getModelsError({ model_choice, allowed_models, model_search }: KeyFormValues): string | null {
  if (model_choice === "all") return null;
  const text = model_search.trim();
  if (text !== "") return t`“${text}” is not chosen: take a model from the list, or clear the search.`;
  if (allowed_models.length === 0) return t`Choose at least one model, or all models.`;
  if (allowed_models.length > MAX_KEY_MODELS) return t`Choose ${MAX_KEY_MODELS} models at most.`;
  return null;
}

function getUnitsError({ share_choice, max_concurrency }: KeyFormValues): string | null {
  if (share_choice === "plan") return null;
  const isWhole = /^\d{1,7}$/.test(max_concurrency.trim());
  const units = Number(max_concurrency);
  return isWhole && units >= 1 && units <= MAX_KEY_UNITS
    ? null
    : t`Units are not valid: write a whole number from 1 to 1,000,000.`;
}

function getDayError({ expiry, expiry_day }: KeyFormValues, now: Date, expiresAt: Date | null): string | null {
  if (expiry !== "day") return null;
  const day = expiry_day.trim();
  if (!z.iso.date().safeParse(day).success) return t`Day is not valid: write it as 2027-03-01.`;
  if (expiresAt !== null && formatIsoDay(expiresAt) === day) return null;
  return new Date(day) > now ? null : t`This day has begun already: choose a later one.`;
}

function listAddressErrors(text: string): string[] {
  const addresses = parseAddressLines(text);
  const invalid = addresses.filter((address) => address.length > MAX_ADDRESS_LENGTH || !isNetwork(address));
  return [
    ...invalid.slice(0, 3).map((address) => {
      const shown = address.slice(0, MAX_ADDRESS_LENGTH);
      return t`“${shown}” is neither an address nor a network such as 10.0.0.0/8.`;
    }),
    ...(addresses.length > MAX_ADDRESSES ? [t`Write ${MAX_ADDRESSES} addresses at most.`] : []),
  ];
}
