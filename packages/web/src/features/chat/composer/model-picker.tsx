import type { Model } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { formatHosted } from "#/entities/models/hosted.ts";
import { modelsQuery } from "#/entities/models/queries.ts";
import { describeContext } from "#/lib/format.ts";
import { formatWaitText } from "../answering/wait-text.ts";
import styles from "./model-picker.module.css";

type Props = {
  open: boolean;
  title: string;
  /** Models that are chosen already. */
  chosenModels: readonly string[];
  onClose(): void;
  onChoose(model: string): void;
};

/** Chooses a model: warm models first, then the others with what prevents calling them. */
export function ModelPicker({ open, title, onClose, ...rest }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      {open ? <ModelChoice {...rest} /> : null}
    </Dialog>
  );
}

function useModelChoice(searchText: string) {
  const search = searchText.trim() === "" ? {} : { search: searchText.trim().slice(0, 200) };
  const warm = useQuery(modelsQuery({ availability: "warm", perPage: 50, ...search }));
  const others = useQuery(modelsQuery({ availability: "loading,cold,offline", perPage: 30, ...search }));
  const all = [...(warm.data?.items ?? []), ...(others.data?.items ?? [])];
  const callable = all.filter((model) => !isRefused(model));
  return {
    warm: callable.filter(({ availability }) => availability.tier === "warm"),
    others: callable.filter(({ availability }) => availability.tier !== "warm"),
    unavailable: all.filter(isRefused),
    isLoading: warm.isPending || others.isPending,
    hasFailed: warm.isError || others.isError,
    retry: () => void Promise.all([warm.refetch(), others.refetch()]),
  };
}

function ModelChoice({ chosenModels, onChoose }: Pick<Props, "chosenModels" | "onChoose">) {
  const [searchText, setSearchText] = useState("");
  const [movedTo, setMovedTo] = useState<number | null>(null);
  const id = useId();
  const { warm, others, unavailable, isLoading, hasFailed, retry } = useModelChoice(searchText);
  const all = [...warm, ...others, ...unavailable];
  // Preselects the first model that is not chosen already.
  const first = Math.max(
    0,
    all.findIndex((model) => !chosenModels.includes(model.id)),
  );
  const activeIndex = Math.min(movedTo ?? first, all.length - 1);
  const activeModel = all[activeIndex];

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = (activeIndex + step + all.length) % Math.max(1, all.length);
      setMovedTo(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (activeModel && !chosenModels.includes(activeModel.id)) onChoose(activeModel.id);
  }

  const renderGroup = (name: string, models: readonly Model[], from: number) =>
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
            active={model === activeModel}
            isTaken={chosenModels.includes(model.id)}
            onChoose={onChoose}
          />
        ))}
      </div>
    );

  return (
    <div className={styles.picker}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog is there to be typed into
        autoFocus
        className="input mt-4"
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={activeModel ? `${id}-${activeIndex}` : undefined}
        aria-label={t`Search models`}
        placeholder={t`Search models`}
        value={searchText}
        onChange={(event) => {
          setSearchText(event.target.value);
          setMovedTo(null);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={t`Models`} className={styles.options} aria-busy={isLoading}>
        {renderGroup(t`Answer now`, warm, 0)}
        {renderGroup(t`Not loaded`, others, warm.length)}
        {renderGroup(t`Not for you yet`, unavailable, warm.length + others.length)}
      </div>
      {isLoading ? <Skeleton height={160} /> : null}
      {hasFailed ? (
        <p className="notice" role="alert">
          {t`The models cannot be read just now.`}{" "}
          <button type="button" className="link" onClick={retry}>
            {t`Try again`}
          </button>
        </p>
      ) : null}
      {!isLoading && !hasFailed && all.length === 0 ? (
        <p className="muted mt-4">{t`No model is called like that.`}</p>
      ) : null}
    </div>
  );
}

type OptionProps = { id: string; model: Model; active: boolean; isTaken: boolean; onChoose(model: string): void };

function ModelOption({ id, model, active, isTaken, onChoose }: OptionProps) {
  const { availability, access, features, concurrency_cost: cost } = model;
  const waitText = formatWaitText(availability, new Date());
  const hosted = formatHosted(model);
  const reasons = refusalsOf(model).map((reason) => REFUSAL_LABELS[reason]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      aria-disabled={isTaken}
      className={styles.option}
      onClick={() => !isTaken && onChoose(model.id)}
    >
      <span className="row between">
        <ModelId id={model.id} />
        <Barbs active={cost} label={plural(cost, { one: "takes # unit", other: "takes # units" })} />
      </span>
      <span className="row small faint about">
        <StateBadge tier={availability.tier} />
        {waitText && availability.tier === "loading" ? <span>{waitText}</span> : null}
        <span className="num">{describeContext(access?.effective_context_length ?? model.context_length)}</span>
        {hosted === null ? null : <span>{hosted}</span>}
        {features.image_input ? <Tag>{t`images`}</Tag> : null}
        {features.tool_use ? <Tag>{t`tools`}</Tag> : null}
        {features.reasoning ? <Tag>{t`reasoning`}</Tag> : null}
        {reasons.map((reason) => (
          <Tag key={reason}>{reason}</Tag>
        ))}
        {isTaken ? <Tag>{t`chosen`}</Tag> : null}
      </span>
    </div>
  );
}

type Reason = NonNullable<Model["access"]>["reasons"][number];
type Refusal = Exclude<Reason, "cold" | "plan_context">;
const REFUSAL_LABELS: Record<Refusal, string> = {
  gated: t`gated`,
  plan_model_size: t`too large for your plan`,
  not_on_plan: t`not on your plan`,
  private: t`private`,
  disabled: t`switched off`,
  only_elsewhere: t`only elsewhere`,
};

/** Why the user may not call a model, regardless of its state. A shorter context is no refusal. */
const refusalsOf = ({ access }: Model): Refusal[] =>
  (access?.reasons ?? []).filter((reason): reason is Refusal => reason !== "cold" && reason !== "plan_context");

const isRefused = (model: Model): boolean =>
  model.access?.callable === false && refusalsOf(model).some((reason) => reason !== "private");
