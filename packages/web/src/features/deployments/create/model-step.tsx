import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue } from "react";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { formatAvailability } from "#/entities/models/availability.ts";
import { privateModelsQuery } from "#/entities/models/private-model-queries.ts";
import { describeState, runsSafetensors } from "#/entities/models/private-model-states.ts";
import { modelsQuery } from "#/entities/models/queries.ts";
import { describeContext, formatParameterCount } from "#/lib/format.ts";
import styles from "../deployments.module.css";
import type { DraftForm } from "../form/draft-form.ts";
import { ModelField } from "../form/model-field.tsx";
import { RevisionField } from "../form/revision-field.tsx";

const MAX_SHOWN = 6;

/** Chooses the model: a private one, one of the catalogue, or an id typed by the user. */
export function ModelStep({ form }: { form: DraftForm }) {
  const search = useDeferredValue(form.watch("model_id").trim());
  const privateModels = useQuery(privateModelsQuery);
  const catalogueModels = useQuery(
    modelsQuery({ ...(search && { search: search.slice(0, 200) }), perPage: MAX_SHOWN }),
  );
  const chosenId = form.watch("model_id");
  const retry = () =>
    Promise.all([catalogueModels, privateModels].filter(({ isError }) => isError).map(({ refetch }) => refetch()));
  const choose = (id: string) =>
    form.setValue("model_id", id, { shouldDirty: true, shouldValidate: true, shouldTouch: true });
  // Deployments run GGUF files only.
  const matchingPrivateModels = (privateModels.data ?? []).filter(
    ({ id, runtime }) => !runsSafetensors(runtime) && id.toLowerCase().includes(search.toLowerCase()),
  );
  // Models that this server can run come first.
  const others = (catalogueModels.data?.items ?? [])
    .filter(({ id }) => !matchingPrivateModels.some((model) => model.id === id))
    .toSorted((a, b) => Number(isOffline(a)) - Number(isOffline(b)));
  return (
    <>
      <ModelField form={form} />
      <div className={`${styles.choiceList} mt-3`}>
        {matchingPrivateModels.map(({ id, state }) => (
          <ModelChoice key={id} id={id} isChosen={chosenId === id} choose={choose}>
            <Trans>yours · {describeState(state).label}</Trans>
          </ModelChoice>
        ))}
        {catalogueModels.isPending ? (
          <Skeleton height={44 * MAX_SHOWN} />
        ) : (
          others.map(({ id, parameter_size, context_length, availability }) => (
            <ModelChoice key={id} id={id} isChosen={chosenId === id} choose={choose}>
              {formatParameterCount(parameter_size)} · {describeContext(context_length)} ·{" "}
              {isOffline({ availability }) ? t`not on this server` : formatAvailability(availability)}
            </ModelChoice>
          ))
        )}
        {catalogueModels.isError || privateModels.isError ? (
          <p className="small muted row wrapping" role="alert">
            {catalogueModels.isError
              ? t`The catalogue cannot be read just now. An id can be typed.`
              : t`The models of your organization cannot be read just now. An id can be typed.`}
            <button type="button" className="btn" onClick={() => void retry()}>
              {t`Try again`}
            </button>
          </p>
        ) : null}
        {catalogueModels.data && matchingPrivateModels.length + others.length === 0 ? (
          <p className="small muted">{t`No model here is called so.`}</p>
        ) : null}
      </div>
      <RevisionField form={form} />
    </>
  );
}

const isOffline = ({ availability: { tier } }: Pick<Model, "availability">) => tier === "offline";

type ModelChoiceProps = { id: string; isChosen: boolean; choose(id: string): void; children: ReactNode };

function ModelChoice({ id, isChosen, choose, children }: ModelChoiceProps) {
  return (
    <button type="button" className="choice" aria-pressed={isChosen} onClick={() => choose(id)}>
      <ModelId id={id} />
      <span className="small faint num">{children}</span>
    </button>
  );
}
