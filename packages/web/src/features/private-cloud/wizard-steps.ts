import { t } from "@lingui/core/macro";
import { type Draft, type DraftField, draftRules } from "./settings.ts";

/** Id of a wizard step, as in the URL. */
export type StepId = "model" | "provider" | "replicas" | "review";
type Step = { id: StepId; name: string; title: string; fields: readonly DraftField[] };

/** The steps of the wizard with their fields. */
export const STEPS: readonly [Step, ...Step[]] = [
  { id: "model", name: t`Model`, title: t`Choose a model`, fields: ["model_id", "revision"] },
  {
    id: "provider",
    name: t`Provider`,
    title: t`Choose where it runs`,
    fields: ["provider_id", "region", "instance_type"],
  },
  {
    id: "replicas",
    name: t`Replicas and name`,
    title: t`Say how many, and name it`,
    fields: ["name", "min_replicas", "max_replicas", "sleeps", "sleep_minutes", "target", "visibility", "engine_args"],
  },
  { id: "review", name: t`Review`, title: t`Look it over`, fields: [] },
];

/** Returns the index of the first step with an invalid field; the last step if all are valid. */
function firstOpenStep(draft: Draft): number {
  const result = draftRules.safeParse(draft);
  const failing = new Set(result.success ? [] : result.error.issues.map(({ path }) => path[0]));
  const index = STEPS.findIndex(({ fields }) => fields.some((field) => failing.has(field)));
  return index === -1 ? STEPS.length - 1 : index;
}

/** Returns the index of the step in the URL, or of the first invalid one before it. */
export function stepAt(wanted: string | null, draft: Draft): number {
  const index = STEPS.findIndex(({ id }) => id === wanted);
  return Math.min(Math.max(index, 0), firstOpenStep(draft));
}

/** Returns the step that contains a field. */
export function stepOf(field: DraftField): StepId {
  return STEPS.find(({ fields }) => fields.includes(field))?.id ?? "review";
}
