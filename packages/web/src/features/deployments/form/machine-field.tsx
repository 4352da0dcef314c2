import type { DeploymentProvider } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { FormSelectField } from "#/components/ui/forms/form-select-field.tsx";
import { formatHourlyPrice } from "../prices.ts";
import { type DraftForm, errorsOfField } from "./draft-form.ts";

type Props = { form: DraftForm };

type Machine = DeploymentProvider["instance_types"][number];

/** Formats an instance type, such as `2 × L40S, 96 GB · $3.58 an hour`. */
export function formatMachine({ gpu, gpu_count, vram_gb, nodes, hourly_nano_usd }: Machine): string {
  const cards = gpu ? t`${gpu_count} × ${gpu}, ${vram_gb} GB` : t`no card`;
  const cardText = nodes > 1 ? t`${cards} on ${nodes} nodes` : cards;
  const price = formatHourlyPrice(Number(hourly_nano_usd));
  return `${cardText} · ${price === "no charge" ? price : t`${price} an hour`}`;
}

/** The instance type. The current one is listed even if the provider no longer offers it. */
export function MachineField({ form, provider }: Props & { provider: DeploymentProvider | undefined }) {
  const machines = provider?.instance_types ?? [];
  const current = form.getValues("instance_type");
  const options = machines.map((machine) => ({
    value: machine.id,
    label: `${machine.id} · ${formatMachine(machine)}`,
  }));
  const isKnown = options.some(({ value }) => value === current) || current === "";
  return (
    <FormSelectField
      label={t`Machine`}
      options={isKnown ? options : [{ value: current, label: current }, ...options]}
      form={form}
      name="instance_type"
      errors={errorsOfField(form, "instance_type")}
    />
  );
}
