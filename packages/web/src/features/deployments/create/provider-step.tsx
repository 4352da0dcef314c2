import type { DeploymentProvider } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import styles from "../deployments.module.css";
import { type DraftForm, errorsOfField } from "../form/draft-form.ts";
import { formatMachine } from "../form/machine-field.tsx";
import { providersQuery } from "../queries.ts";

/**
 * Selects a provider. Region and instance type stay if the provider offers them, and become its first ones otherwise.
 */
export function selectProvider(form: DraftForm, { id, regions, instance_types }: DeploymentProvider): void {
  const { region, instance_type } = form.getValues();
  const keepOrFirst = (items: readonly { id: string }[], current: string) =>
    items.some((item) => item.id === current) ? current : (items[0]?.id ?? "");
  form.setValue("provider_id", id, { shouldValidate: true });
  form.setValue("region", keepOrFirst(regions, region));
  form.setValue("instance_type", keepOrFirst(instance_types, instance_type));
  form.clearErrors(["provider_id", "region", "instance_type"]);
}

/** Chooses provider, region and instance type. */
export function ProviderStep({ form }: { form: DraftForm }) {
  const { data, error, refetch } = useQuery(providersQuery);
  const chosen = data?.find(({ id }) => id === form.watch("provider_id"));
  if (error) return <LoadError subject={t`The providers`} error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton height={160} />;
  return (
    <>
      <ChoiceGroup legend={t`Provider`} errors={errorsOfField(form, "provider_id")}>
        {data.map((provider) => (
          <label key={provider.id} className="choice">
            <input
              type="radio"
              name="provider"
              checked={provider === chosen}
              disabled={!provider.available}
              onChange={() => selectProvider(form, provider)}
            />
            <span>{provider.name}</span>
            <span className="small faint">
              {provider.available ? provider.id : (provider.reason ?? t`Not available.`)}
            </span>
          </label>
        ))}
      </ChoiceGroup>
      {chosen ? (
        <>
          <ChoiceGroup legend={t`Region`} errors={errorsOfField(form, "region")}>
            {chosen.regions.map(({ id, name }) => (
              <label key={id} className="choice">
                <input type="radio" value={id} {...form.register("region")} />
                <span>{name}</span>
                <span className="small faint">{id}</span>
              </label>
            ))}
          </ChoiceGroup>
          <ChoiceGroup legend={t`Machine`} errors={errorsOfField(form, "instance_type")}>
            {chosen.instance_types.map((machine) => (
              <label key={machine.id} className="choice">
                <input type="radio" value={machine.id} {...form.register("instance_type")} />
                <span className="mono">{machine.id}</span>
                <span className="small faint num">{formatMachine(machine)}</span>
              </label>
            ))}
          </ChoiceGroup>
        </>
      ) : null}
    </>
  );
}

type ChoiceGroupProps = { legend: string; errors: readonly string[]; children: ReactNode };

function ChoiceGroup({ legend, errors, children }: ChoiceGroupProps) {
  return (
    <fieldset className={`field ${styles.choiceList}`}>
      <legend className="name">{legend}</legend>
      {children}
      {errors.map((error) => (
        <p key={error} className="error-text">
          {error}
        </p>
      ))}
    </fieldset>
  );
}
