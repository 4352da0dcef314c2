import { t } from "@lingui/core/macro";
import { numberFormat } from "#/lib/format.ts";
import type { Deployment, Provider } from "./queries.ts";

const NANO = 1_000_000_000;
const dollars = numberFormat({ style: "currency", currency: "USD" });

/** Nano-USD an hour for one replica; null where the provider or the machine is not known any more. */
export function hourly(
  { provider_id, instance_type }: Pick<Deployment, "provider_id" | "instance_type">,
  providers: readonly Provider[] | undefined,
): number | null {
  const machine = providers
    ?.find(({ id }) => id === provider_id)
    ?.instance_types.find(({ id }) => id === instance_type);
  return machine ? Number(machine.hourly_nano_usd) : null;
}

/** $3.58 an hour; nothing for what costs nothing. */
export function hourlyText(nano: number | null, replicas = 1): string {
  if (nano === null) return t`unknown`;
  return nano === 0 ? t`no charge` : dollars.format((nano * replicas) / NANO);
}
