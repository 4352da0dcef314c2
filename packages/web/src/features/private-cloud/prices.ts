import { t } from "@lingui/core/macro";
import { numberFormat } from "#/lib/format.ts";
import type { Deployment, Provider } from "./queries.ts";

const NANO = 1_000_000_000;
const dollars = numberFormat({ style: "currency", currency: "USD" });

/** Returns the price of one replica in nano-USD per hour; null if the provider or instance type is unknown. */
export function hourly(
  { provider_id, instance_type }: Pick<Deployment, "provider_id" | "instance_type">,
  providers: readonly Provider[] | undefined,
): number | null {
  const machine = providers
    ?.find(({ id }) => id === provider_id)
    ?.instance_types.find(({ id }) => id === instance_type);
  return machine ? Number(machine.hourly_nano_usd) : null;
}

/** Formats a price per hour, such as `$3.58`; "no charge" for zero, "unknown" for null. */
export function hourlyText(nano: number | null, replicas = 1): string {
  if (nano === null) return t`unknown`;
  return nano === 0 ? t`no charge` : dollars.format((nano * replicas) / NANO);
}
