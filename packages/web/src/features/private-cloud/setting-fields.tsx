import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CheckField, ChoiceField, Field, TextField } from "#/components/ui/field.tsx";
import { type DraftForm, errorsOf } from "./draft-form.ts";
import { hourlyText } from "./prices.ts";
import type { Provider } from "./queries.ts";
import { canSleep, type DraftField } from "./settings.ts";

type Props = { form: DraftForm };

const bind = (form: DraftForm, name: DraftField) => ({ errors: errorsOf(form, name), ...form.register(name) });

/** Fields of replicas, sleeping and autoscaling. */
export function ScaleFields({ form }: Props) {
  const { sleeps, min_replicas } = form.watch();
  const maySleep = canSleep({ min_replicas });
  return (
    <>
      <div className="pair">
        <Field label={t`Replicas, at least`} inputMode="numeric" {...bind(form, "min_replicas")} />
        <Field label={t`At most`} inputMode="numeric" {...bind(form, "max_replicas")} />
      </div>
      {maySleep ? (
        <>
          <CheckField
            label={t`Sleep when nobody asks`}
            hint={t`The next call wakes it, and waits until it answers.`}
            {...bind(form, "sleeps")}
          />
          {sleeps ? (
            <Field
              label={t`Minutes without a request until it sleeps`}
              inputMode="decimal"
              {...bind(form, "sleep_minutes")}
            />
          ) : null}
        </>
      ) : (
        <p className="hint small dim mt-3">
          <Trans>It never sleeps: at least {min_replicas} always runs.</Trans>
        </p>
      )}
      <Field
        label={t`Requests at a time for one replica`}
        inputMode="decimal"
        hint={t`With more than this, another replica starts, up to the most.`}
        {...bind(form, "target")}
      />
    </>
  );
}

/** Fields of visibility and engine arguments. */
export function RunFields({ form }: Props) {
  return (
    <>
      <ChoiceField
        label={t`Who may call it`}
        options={[
          { value: "private", label: t`Its token, and keys of the organization` },
          { value: "public", label: t`Everybody who knows its address` },
        ]}
        {...bind(form, "visibility")}
      />
      <TextField
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
        {...bind(form, "engine_args")}
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
      {...bind(form, "name")}
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
      {...bind(form, "revision")}
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
      {...bind(form, "model_id")}
    />
  );
}

type Machine = Provider["instance_types"][number];

/** Formats an instance type, such as `2 × L40S, 96 GB · $3.58 an hour`. */
export function cardText({ gpu, gpu_count, vram_gb, hourly_nano_usd }: Machine): string {
  const cards = gpu ? t`${gpu_count} × ${gpu}, ${vram_gb} GB` : t`no card`;
  const price = hourlyText(Number(hourly_nano_usd));
  return `${cards} · ${price === "no charge" ? price : t`${price} an hour`}`;
}

/** The instance type. The current one is listed even if the provider no longer offers it. */
export function MachineField({ form, provider }: Props & { provider: Provider | undefined }) {
  const machines = provider?.instance_types ?? [];
  const current = form.getValues("instance_type");
  const options = machines.map((machine) => ({ value: machine.id, label: `${machine.id} · ${cardText(machine)}` }));
  const known = options.some(({ value }) => value === current) || current === "";
  return (
    <ChoiceField
      label={t`Machine`}
      options={known ? options : [{ value: current, label: current }, ...options]}
      {...bind(form, "instance_type")}
    />
  );
}
