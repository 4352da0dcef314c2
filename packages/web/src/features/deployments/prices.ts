import type { Deployment, DeploymentProvider } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatNanoUsd } from "#/entities/money/money.ts";

/** Returns the price of one replica in nano-USD per hour; null if the provider or instance type is unknown. */
export function hourlyNanoUsd(
  { provider_id, instance_type }: Pick<Deployment, "provider_id" | "instance_type">,
  providers: readonly DeploymentProvider[] | undefined,
): number | null {
  const machine = providers
    ?.find(({ id }) => id === provider_id)
    ?.instance_types.find(({ id }) => id === instance_type);
  return machine ? Number(machine.hourly_nano_usd) : null;
}

/** Formats a price per hour, such as `$3.58`; "no charge" for zero, "unknown" for null. */
export function formatHourlyPrice(nanoUsd: number | null, replicas = 1): string {
  if (nanoUsd === null) return t`unknown`;
  return nanoUsd === 0 ? t`no charge` : formatNanoUsd(nanoUsd * replicas);
}
