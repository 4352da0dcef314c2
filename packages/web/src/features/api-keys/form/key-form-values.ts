import type { ApiKey, ApiKeyCreate, ApiKeyUpdate, Scope } from "@feather/sdk";
import { parseBudget, toDollars } from "#/entities/money/budget.ts";
import { createFieldLookup } from "#/lib/field-errors.ts";
import { formatIsoDay } from "#/lib/format.ts";
import { DAY_MS } from "#/lib/time.ts";
import { DEFAULT_KEY_SCOPES } from "../scopes.ts";
import { parseAddressLines } from "./networks.ts";

type KeyFields = Pick<ApiKey, keyof ApiKeyUpdate>;

/** The values of the form of a key: texts as they are typed. */
export type KeyFormValues = {
  name: string;
  scopes: Scope[];
  model_choice: "all" | "some";
  allowed_models: string[];
  /** The text in the search for models, which selects no model yet. */
  model_search: string;
  share_choice: "plan" | "some";
  max_concurrency: string;
  priority: KeyFields["priority"];
  /** Dollars; empty for no limit. */
  spend_limit: string;
  limit_reset: KeyFields["limit_reset"];
  /** A number of days from now, or `day` for `expiry_day`. */
  expiry: "never" | "30" | "90" | "day";
  /** An ISO date. */
  expiry_day: string;
  /** One address or network on each line. */
  ip_allowlist: string;
  enabled: boolean;
};

/** A key without limits, with which a new one is compared. */
const NO_LIMITS: KeyFields = {
  name: "",
  scopes: [],
  allowed_models: [],
  ip_allowlist: [],
  max_concurrency: null,
  priority: "interactive",
  spend_limit_nano_usd: null,
  limit_reset: "none",
  expires_at: null,
  disabled: false,
};

/** The values of the form of a new key. */
export const NEW_KEY_VALUES: KeyFormValues = toFormValues({ ...NO_LIMITS, scopes: [...DEFAULT_KEY_SCOPES] });

/** Returns a key as values of the form. */
export function toFormValues(key: KeyFields): KeyFormValues {
  const { name, scopes, allowed_models, ip_allowlist, max_concurrency, spend_limit_nano_usd, expires_at } = key;
  return {
    name,
    scopes,
    model_choice: allowed_models.length === 0 ? "all" : "some",
    allowed_models,
    model_search: "",
    share_choice: max_concurrency === null ? "plan" : "some",
    max_concurrency: String(max_concurrency ?? 1),
    priority: key.priority,
    spend_limit: spend_limit_nano_usd === null ? "" : toDollars(spend_limit_nano_usd),
    limit_reset: spend_limit_nano_usd === null ? "month" : key.limit_reset,
    expiry: expires_at === null ? "never" : "day",
    expiry_day: expires_at === null ? "" : formatIsoDay(expires_at),
    ip_allowlist: ip_allowlist.join("\n"),
    enabled: !key.disabled,
  };
}

/** Returns valid values of the form as the body that creates a key, without fields that limit nothing. */
export function toNewKey(values: KeyFormValues, now: Date): ApiKeyCreate {
  return { ...toChanges(values, NO_LIMITS, now), name: values.name.trim() };
}

/** Returns the fields in which valid values of the form differ from a key. */
export function toChanges(values: KeyFormValues, key: KeyFields, now: Date): ApiKeyUpdate {
  const fields = toFields(values, key, now);
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => !isSame(value, key[field as keyof KeyFields])),
  );
}

function toFields(values: KeyFormValues, key: KeyFields, now: Date): KeyFields {
  const hasBudget = values.spend_limit.trim() !== "";
  return {
    name: values.name.trim(),
    scopes: values.scopes,
    allowed_models: values.model_choice === "all" ? [] : values.allowed_models,
    ip_allowlist: parseAddressLines(values.ip_allowlist),
    max_concurrency: values.share_choice === "plan" ? null : Number(values.max_concurrency),
    priority: values.priority,
    spend_limit_nano_usd: hasBudget ? parseBudget(values.spend_limit) : null,
    limit_reset: hasBudget ? values.limit_reset : key.limit_reset,
    expires_at: toExpiryDate(values, key.expires_at, now),
    disabled: !values.enabled,
  };
}

/** Returns when a key expires: a day begins at midnight UTC. The day on which the key ends already changes nothing. */
function toExpiryDate({ expiry, expiry_day }: KeyFormValues, expiresAt: Date | null, now: Date): Date | null {
  if (expiry === "never") return null;
  if (expiry !== "day") return new Date(now.getTime() + Number(expiry) * DAY_MS);
  const day = expiry_day.trim();
  return expiresAt !== null && formatIsoDay(expiresAt) === day ? expiresAt : new Date(day);
}

/** Whether two values of a field are equal; the order of a list means nothing. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item) => other.includes(item));
  return JSON.stringify(one) === JSON.stringify(other);
}

const FIELD_NAMES: Record<keyof KeyFields, keyof KeyFormValues> = {
  name: "name",
  scopes: "scopes",
  allowed_models: "allowed_models",
  ip_allowlist: "ip_allowlist",
  max_concurrency: "max_concurrency",
  priority: "priority",
  spend_limit_nano_usd: "spend_limit",
  limit_reset: "limit_reset",
  expires_at: "expiry",
  disabled: "enabled",
};

/** Returns the form's field for a field of the API; null where it has none. */
export const toFieldName = createFieldLookup<keyof KeyFormValues>([], FIELD_NAMES);
