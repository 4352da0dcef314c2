import type { Model } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { formatPricePerMillion } from "#/entities/money/money.ts";
import { formatContextLength, formatDecimal, formatIsoDay, formatParameterCount } from "#/lib/format.ts";
import { formatSchemaSupport } from "../schema-support.ts";

/** A row of the comparison. */
export type Fact = {
  name: string;
  format(model: Model): string;
  /** Whether the row is about units, which have an icon. */
  units?: true;
};

const yesOrNo = (has: boolean): string => (has ? t`yes` : t`no`);

/** The rows of the comparison, except the state. */
export const FACTS: readonly Fact[] = [
  { name: t`Parameters`, format: ({ parameter_size }) => formatParameterCount(parameter_size) },
  {
    name: t`Active parameters`,
    format: ({ active_parameters }) => (active_parameters === null ? "–" : formatParameterCount(active_parameters)),
  },
  { name: t`Context`, format: ({ context_length }) => formatContextLength(context_length) },
  {
    name: t`Longest answer`,
    format: ({ max_completion_tokens }) =>
      max_completion_tokens === null ? "–" : formatContextLength(max_completion_tokens),
  },
  {
    name: t`One request holds`,
    format: ({ concurrency_cost: cost }) => plural(cost, { one: "# unit", other: "# units" }),
    units: true,
  },
  {
    name: t`Metered, read`,
    format: ({ pricing }) => (pricing ? t`${formatPricePerMillion(pricing.prompt)} / 1M` : "–"),
  },
  {
    name: t`Metered, written`,
    format: ({ pricing }) => (pricing ? t`${formatPricePerMillion(pricing.completion)} / 1M` : "–"),
  },
  { name: t`Tool calling`, format: ({ features }) => yesOrNo(features.tool_use) },
  { name: t`Reasoning before the answer`, format: ({ features }) => yesOrNo(features.reasoning) },
  { name: t`Images in the prompt`, format: ({ features }) => yesOrNo(features.image_input) },
  { name: t`Answers held to a JSON schema`, format: ({ features }) => formatSchemaSupport(features) },
  { name: t`Languages`, format: ({ languages }) => languages.join(", ") || t`unknown` },
  { name: t`Licence`, format: ({ license }) => license ?? t`unknown` },
  { name: t`Released`, format: ({ released_date }) => (released_date ? formatIsoDay(released_date) : t`unknown`) },
  { name: t`Family`, format: ({ family }) => family ?? t`unknown` },
  { name: t`Architecture`, format: ({ architecture }) => architecture ?? t`unknown` },
  { name: t`Rating`, format: ({ avg_rating }) => (avg_rating === null ? "–" : formatDecimal(avg_rating)) },
];

/** Returns whether the models have different values in a row. */
export const isDifferent = (fact: Fact, models: readonly Model[]): boolean => new Set(models.map(fact.format)).size > 1;
