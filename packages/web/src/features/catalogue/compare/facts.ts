import { plural, t } from "@lingui/core/macro";
import { context, day, decimal, size } from "#/lib/format.ts";
import { perMillion } from "../price-words.ts";
import type { Model } from "../queries.ts";

/** A row of the comparison. */
export type Fact = {
  name: string;
  of(model: Model): string;
  /** Whether the row is about units, which have an icon. */
  units?: true;
};

const yes = (has: boolean): string => (has ? t`yes` : t`no`);

/** The rows of the comparison, except the state. */
export const FACTS: readonly Fact[] = [
  { name: t`Parameters`, of: ({ parameter_size }) => size(parameter_size) },
  {
    name: t`Active parameters`,
    of: ({ active_parameters }) => (active_parameters === null ? "–" : size(active_parameters)),
  },
  { name: t`Context`, of: ({ context_length }) => context(context_length) },
  {
    name: t`Longest answer`,
    of: ({ max_completion_tokens }) => (max_completion_tokens === null ? "–" : context(max_completion_tokens)),
  },
  {
    name: t`One request holds`,
    of: ({ concurrency_cost: cost }) => plural(cost, { one: "# unit", other: "# units" }),
    units: true,
  },
  { name: t`Metered, read`, of: ({ pricing }) => (pricing ? t`${perMillion(pricing.prompt)} / 1M` : "–") },
  { name: t`Metered, written`, of: ({ pricing }) => (pricing ? t`${perMillion(pricing.completion)} / 1M` : "–") },
  { name: t`Tool calling`, of: ({ features }) => yes(features.tool_use) },
  { name: t`Reasoning before the answer`, of: ({ features }) => yes(features.reasoning) },
  { name: t`Images in the prompt`, of: ({ features }) => yes(features.image_input) },
  { name: t`Answers held to a JSON schema`, of: ({ features }) => yes(features.json_mode) },
  { name: t`Languages`, of: ({ languages }) => languages.join(", ") || t`unknown` },
  { name: t`Licence`, of: ({ license }) => license ?? t`unknown` },
  { name: t`Released`, of: ({ released_date }) => (released_date ? day(released_date) : t`unknown`) },
  { name: t`Family`, of: ({ family }) => family ?? t`unknown` },
  { name: t`Architecture`, of: ({ architecture }) => architecture ?? t`unknown` },
  { name: t`Rating`, of: ({ avg_rating }) => (avg_rating === null ? "–" : decimal(avg_rating)) },
];

/** Returns whether the models have different values in a row. */
export const differs = (fact: Fact, models: readonly Model[]): boolean => new Set(models.map(fact.of)).size > 1;
