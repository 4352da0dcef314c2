import type { DeploymentProvider } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CheckboxField, Field, TextareaField } from "#/components/ui/field.tsx";
import { FormSelectField } from "#/components/ui/form-select-field.tsx";
import { canSleep, type DraftField } from "./draft.ts";
import { type DraftForm, errorsOfField } from "./draft-form.ts";
import { formatHourlyPrice } from "./prices.ts";
import styles from "./setting-fields.module.css";

type Props = { form: DraftForm };

const fieldProps = (form: DraftForm, name: DraftField) => ({
  errors: errorsOfField(form, name),
  ...form.register(name),
});

/** Fields of replicas, sleeping and autoscaling. */
export function ScaleFields({ form }: Props) {
  const { sleeps, min_replicas } = form.watch();
  const isSleepAllowed = canSleep({ min_replicas });
  return (
    <>
      <div className={styles.pair}>
        <Field label={t`Replicas, at least`} inputMode="numeric" {...fieldProps(form, "min_replicas")} />
        <Field label={t`At most`} inputMode="numeric" {...fieldProps(form, "max_replicas")} />
      </div>
      {isSleepAllowed ? (
        <>
          <CheckboxField
            label={t`Sleep when nobody asks`}
            hint={t`The next call wakes it, and waits until it answers.`}
            {...fieldProps(form, "sleeps")}
          />
          {sleeps ? (
            <Field
              label={t`Minutes without a request until it sleeps`}
              inputMode="decimal"
              {...fieldProps(form, "sleep_minutes")}
            />
          ) : null}
        </>
      ) : (
        <p className="hint small faint mt-3">
          <Trans>It never sleeps: at least {min_replicas} always runs.</Trans>
        </p>
      )}
      <Field
        label={t`Requests at a time for one replica`}
        inputMode="decimal"
        hint={t`With more than this, another replica starts, up to the most.`}
        {...fieldProps(form, "target")}
      />
    </>
  );
}

/** Fields of visibility and engine arguments. */
export function RunFields({ form }: Props) {
  return (
    <>
      <FormSelectField
        label={t`Who may call it`}
        options={[
          { value: "private", label: t`Its token, and keys of the organization` },
          { value: "public", label: t`Everybody who knows its address` },
        ]}
        form={form}
        name="visibility"
        errors={errorsOfField(form, "visibility")}
      />
      <TextareaField
        label={t`Engine arguments (optional)`}
        rows={3}
        spellCheck={false}
        className="input mono"
        placeholder="context=4096"
        hint={
          form.getValues("provider_id") === "local"
            ? t`One a line, name=value. This machine knows context, sequences and threads.`
            : t`One a line, name=value, as what runs the model there knows them.`
        }
        {...fieldProps(form, "engine_args")}
      />
    </>
  );
}

/** The name of the deployment. */
export function NameField({ form }: Props) {
  return (
    <Field
      label={t`Name`}
      autoComplete="off"
      spellCheck={false}
      hint={t`Small letters, digits and hyphens. It cannot be changed later.`}
      {...fieldProps(form, "name")}
    />
  );
}

/** The revision of the model. */
export function RevisionField({ form }: Props) {
  return (
    <Field
      label={t`Revision (optional)`}
      autoComplete="off"
      spellCheck={false}
      hint={t`A branch, tag or commit. Left empty, it runs what is here.`}
      {...fieldProps(form, "revision")}
    />
  );
}

/** The id of the model. */
export function ModelField({ form }: Props) {
  return (
    <Field
      label={t`Model`}
      autoComplete="off"
      spellCheck={false}
      placeholder="owner/name"
      {...fieldProps(form, "model_id")}
    />
  );
}

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
