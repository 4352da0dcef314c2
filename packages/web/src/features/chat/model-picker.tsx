import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { Barbs, ModelId, Skeleton, State, Tag } from "#/components/ui/bits.tsx";
import { Dialog } from "#/components/ui/dialog.tsx";
import { type Model, modelsQuery } from "#/features/catalogue/queries.ts";
import { context } from "#/lib/format.ts";
import { waitingText } from "./waiting.ts";

type Props = {
  open: boolean;
  title: string;
  /** Models that are chosen already. */
  taken: readonly string[];
  onClose(): void;
  choose(model: string): void;
};

/** Chooses a model: warm models first, then the others with what prevents calling them. */
export function ModelPicker({ open, title, onClose, ...rest }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      {open ? <Choice {...rest} /> : null}
    </Dialog>
  );
}

function useChoice(words: string) {
  const search = words.trim() === "" ? {} : { search: words.trim().slice(0, 200) };
  const warm = useQuery(modelsQuery({ availability: "warm", perPage: 50, ...search }));
  const others = useQuery(modelsQuery({ availability: "loading,cold,offline", perPage: 30, ...search }));
  const all = [...(warm.data?.items ?? []), ...(others.data?.items ?? [])];
  const callable = all.filter((model) => !isRefused(model));
  return {
    warm: callable.filter(({ availability }) => availability.tier === "warm"),
    others: callable.filter(({ availability }) => availability.tier !== "warm"),
    refused: all.filter(isRefused),
    waiting: warm.isPending || others.isPending,
    failed: warm.isError || others.isError,
    again: () => void Promise.all([warm.refetch(), others.refetch()]),
  };
}

function Choice({ taken, choose }: Pick<Props, "taken" | "choose">) {
  const [words, setWords] = useState("");
  const [moved, setAt] = useState<number | null>(null);
  const id = useId();
  const { warm, others, refused, waiting, failed, again } = useChoice(words);
  const all = [...warm, ...others, ...refused];
  // Preselects the first model that is not chosen already.
  const first = Math.max(
    0,
    all.findIndex((model) => !taken.includes(model.id)),
  );
  const at = Math.min(moved ?? first, all.length - 1);
  const chosen = all[at];

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = (at + step + all.length) % Math.max(1, all.length);
      setAt(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (chosen && !taken.includes(chosen.id)) choose(chosen.id);
  }

  const group = (name: string, models: readonly Model[], from: number) =>
    models.length === 0 ? null : (
      // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
      <div role="group" aria-label={name}>
        <p className="label" aria-hidden="true">
          {name}
        </p>
        {models.map((model, index) => (
          <ModelOption
            key={model.id}
            id={`${id}-${from + index}`}
            model={model}
            active={model === chosen}
            taken={taken.includes(model.id)}
            choose={choose}
          />
        ))}
      </div>
    );

  return (
    <div className="picker">
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog is there to be typed into
        autoFocus
        className="input mt-4"
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen ? `${id}-${at}` : undefined}
        aria-label={t`Search models`}
        placeholder={t`Search models`}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setAt(null);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={t`Models`} className="options" aria-busy={waiting}>
        {group(t`Answer now`, warm, 0)}
        {group(t`Not loaded`, others, warm.length)}
        {group(t`Not for you yet`, refused, warm.length + others.length)}
      </div>
      {waiting ? <Skeleton height={160} /> : null}
      {failed ? (
        <p className="notice" role="alert">
          {t`The models cannot be read just now.`}{" "}
          <button type="button" className="link" onClick={again}>
            {t`Try again`}
          </button>
        </p>
      ) : null}
      {!waiting && !failed && all.length === 0 ? <p className="mid mt-4">{t`No model is called like that.`}</p> : null}
    </div>
  );
}

type OptionProps = { id: string; model: Model; active: boolean; taken: boolean; choose(model: string): void };

function ModelOption({ id, model, active, taken, choose }: OptionProps) {
  const { availability, access, features, concurrency_cost: cost } = model;
  const wait = waitingText(availability, new Date());
  const reasons = refusalsOf(model).map((reason) => REASONS[reason]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      aria-disabled={taken}
      className="option"
      onClick={() => !taken && choose(model.id)}
    >
      <span className="row between">
        <ModelId id={model.id} />
        <Barbs on={cost} label={plural(cost, { one: "takes # unit", other: "takes # units" })} />
      </span>
      <span className="row small dim about">
        <State tier={availability.tier} />
        {wait && availability.tier === "loading" ? <span>{wait}</span> : null}
        <span className="num">
          <Trans>{context(access?.effective_context_length ?? model.context_length)} context</Trans>
        </span>
        {features.image_input ? <Tag>{t`images`}</Tag> : null}
        {features.tool_use ? <Tag>{t`tools`}</Tag> : null}
        {features.reasoning ? <Tag>{t`reasoning`}</Tag> : null}
        {reasons.map((reason) => (
          <Tag key={reason}>{reason}</Tag>
        ))}
        {taken ? <Tag>{t`chosen`}</Tag> : null}
      </span>
    </div>
  );
}

type Reason = NonNullable<Model["access"]>["reasons"][number];
type Refusal = Exclude<Reason, "cold" | "plan_context">;
const REASONS: Record<Refusal, string> = {
  gated: t`gated`,
  plan_model_size: t`too large for your plan`,
  not_on_plan: t`not on your plan`,
  private: t`private`,
  disabled: t`switched off`,
};

/** Why the user may not call a model, regardless of its state. A shorter context is no refusal. */
const refusalsOf = ({ access }: Model): Refusal[] =>
  (access?.reasons ?? []).filter((reason): reason is Refusal => reason !== "cold" && reason !== "plan_context");

const isRefused = (model: Model): boolean =>
  model.access?.callable === false && refusalsOf(model).some((reason) => reason !== "private");
