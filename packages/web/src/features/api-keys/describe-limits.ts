import type { ApiKey } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { formatCount } from "#/lib/format.ts";

/** The limits of a key that are described in words. */
type KeyLimits = Pick<ApiKey, "allowed_models" | "ip_allowlist" | "max_concurrency" | "priority">;

/**
 * Returns the limits of a key except its budget in words, one text for each; empty without limits. `units` are the plan's;
 * null: no limit.
 */
export function describeLimits(key: KeyLimits, units: number | null): string[] {
  return [
    describeModels(key.allowed_models),
    key.max_concurrency === null ? null : describeShare(key.max_concurrency, units),
    key.priority === "batch" ? t`after other calls` : null,
    describeAddresses(key.ip_allowlist),
  ].filter((text) => text !== null);
}

function describeModels([first, ...others]: readonly string[]): string | null {
  if (first === undefined) return null;
  if (others.length === 0) return t`only ${first}`;
  return plural(others.length, { one: `only ${first} and # more model`, other: `only ${first} and # more models` });
}

/** Returns the share of units of a key: “1 of 4 units”. */
export function describeShare(maxConcurrency: number, units: number | null): string {
  if (units === null) return plural(maxConcurrency, { one: "# unit at most", other: "# units at most" });
  return t`${formatCount(maxConcurrency)} of ${plural(units, { one: "# unit", other: "# units" })}`;
}

function describeAddresses([first, ...others]: readonly string[]): string | null {
  if (first === undefined) return null;
  if (others.length === 0) return t`only from ${first}`;
  return plural(others.length, {
    one: `only from ${first} and # more address`,
    other: `only from ${first} and # more addresses`,
  });
}
