import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue } from "react";
import { ModelId, Skeleton, tierWords } from "#/components/ui/bits.tsx";
import { type Model, modelsQuery } from "#/features/catalogue/queries.ts";
import { privateModelsQuery } from "#/features/private-models/queries.ts";
import { aboutState } from "#/features/private-models/states.ts";
import { context, size } from "#/lib/format.ts";
import type { DraftForm } from "./draft-form.ts";
import { ModelField, RevisionField } from "./setting-fields.tsx";

const SHOWN = 6;

/** Chooses the model: a private one, one of the catalogue, or an id typed by the user. */
export function ModelStep({ form }: { form: DraftForm }) {
  const typed = useDeferredValue(form.watch("model_id").trim());
  const own = useQuery(privateModelsQuery);
  const found = useQuery(modelsQuery({ ...(typed && { search: typed.slice(0, 200) }), perPage: SHOWN }));
  const chosen = form.watch("model_id");
  const readAgain = () => Promise.all([found, own].filter(({ isError }) => isError).map(({ refetch }) => refetch()));
  const choose = (id: string) =>
    form.setValue("model_id", id, { shouldDirty: true, shouldValidate: true, shouldTouch: true });
  const mine = (own.data ?? []).filter(({ id }) => id.toLowerCase().includes(typed.toLowerCase()));
  // Models that this server can run come first.
  const others = (found.data?.items ?? [])
    .filter(({ id }) => !mine.some((model) => model.id === id))
    .toSorted((a, b) => Number(isAway(a)) - Number(isAway(b)));
  return (
    <>
      <ModelField form={form} />
      <div className="choice-list mt-3">
        {mine.map(({ id, state }) => (
          <Choice key={id} id={id} chosen={chosen === id} choose={choose}>
            <Trans>yours · {aboutState(state).word}</Trans>
          </Choice>
        ))}
        {found.isPending ? (
          <Skeleton height={44 * SHOWN} />
        ) : (
          others.map(({ id, parameter_size, context_length, availability }) => (
            <Choice key={id} id={id} chosen={chosen === id} choose={choose}>
              {size(parameter_size)} · {t`${context(context_length)} context`} ·{" "}
              {isAway({ availability }) ? t`not on this server` : tierWords(availability.tier)}
            </Choice>
          ))
        )}
        {found.isError || own.isError ? (
          <p className="small mid row wraps" role="alert">
            {found.isError
              ? t`The catalogue cannot be read just now. An id can be typed.`
              : t`The models of your organization cannot be read just now. An id can be typed.`}
            <button type="button" className="btn" onClick={() => void readAgain()}>
              {t`Try again`}
            </button>
          </p>
        ) : null}
        {found.data && mine.length + others.length === 0 ? (
          <p className="small mid">{t`No model here is called so.`}</p>
        ) : null}
      </div>
      <RevisionField form={form} />
    </>
  );
}

const isAway = ({ availability: { tier } }: Pick<Model, "availability">) => tier === "offline";

type ChoiceProps = { id: string; chosen: boolean; choose(id: string): void; children: ReactNode };

function Choice({ id, chosen, choose, children }: ChoiceProps) {
  return (
    <button type="button" className="choice" aria-pressed={chosen} onClick={() => choose(id)}>
      <ModelId id={id} />
      <span className="small dim num">{children}</span>
    </button>
  );
}
