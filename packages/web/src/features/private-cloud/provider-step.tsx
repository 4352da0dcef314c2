import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Skeleton } from "#/components/ui/bits.tsx";
import { type DraftForm, errorsOf } from "./draft-form.ts";
import { readFault } from "./faults.ts";
import { Failed } from "./notices.tsx";
import { type Provider, providersQuery } from "./queries.ts";
import { cardText } from "./setting-fields.tsx";

/**
 * Selects a provider. Region and instance type stay if the provider offers them, and become its first ones otherwise.
 */
export function takeProvider(form: DraftForm, { id, regions, instance_types }: Provider): void {
  const { region, instance_type } = form.getValues();
  const kept = (items: readonly { id: string }[], current: string) =>
    items.some((item) => item.id === current) ? current : (items[0]?.id ?? "");
  form.setValue("provider_id", id, { shouldValidate: true });
  form.setValue("region", kept(regions, region));
  form.setValue("instance_type", kept(instance_types, instance_type));
  form.clearErrors(["provider_id", "region", "instance_type"]);
}

/** Chooses provider, region and instance type. */
export function ProviderStep({ form }: { form: DraftForm }) {
  const { data, error, refetch } = useQuery(providersQuery);
  const chosen = data?.find(({ id }) => id === form.watch("provider_id"));
  if (error) return <Failed message={readFault(error, t`The providers`)} retry={() => void refetch()} />;
  if (!data) return <Skeleton height={160} />;
  return (
    <>
      <Choices legend={t`Provider`} errors={errorsOf(form, "provider_id")}>
        {data.map((provider) => (
          <label key={provider.id} className="choice">
            <input
              type="radio"
              name="provider"
              checked={provider === chosen}
              disabled={!provider.available}
              onChange={() => takeProvider(form, provider)}
            />
            <span>{provider.name}</span>
            <span className="small dim">
              {provider.available ? provider.id : (provider.reason ?? t`Not available.`)}
            </span>
          </label>
        ))}
      </Choices>
      {chosen ? (
        <>
          <Choices legend={t`Region`} errors={errorsOf(form, "region")}>
            {chosen.regions.map(({ id, name }) => (
              <label key={id} className="choice">
                <input type="radio" value={id} {...form.register("region")} />
                <span>{name}</span>
                <span className="small dim">{id}</span>
              </label>
            ))}
          </Choices>
          <Choices legend={t`Machine`} errors={errorsOf(form, "instance_type")}>
            {chosen.instance_types.map((machine) => (
              <label key={machine.id} className="choice">
                <input type="radio" value={machine.id} {...form.register("instance_type")} />
                <span className="mono">{machine.id}</span>
                <span className="small dim num">{cardText(machine)}</span>
              </label>
            ))}
          </Choices>
        </>
      ) : null}
    </>
  );
}

type ChoicesProps = { legend: string; errors: readonly string[]; children: ReactNode };

function Choices({ legend, errors, children }: ChoicesProps) {
  return (
    <fieldset className="field choice-list">
      <legend className="name">{legend}</legend>
      {children}
      {errors.map((error) => (
        <p key={error} className="err">
          {error}
        </p>
      ))}
    </fieldset>
  );
}
