import { t } from "@lingui/core/macro";
import { type DeploymentDraft, type DraftField, draftSchema } from "../form/draft.ts";

/** Id of a wizard step, as in the URL. */
export type StepId = "model" | "provider" | "replicas" | "review";
type WizardStep = { id: StepId; name: string; title: string; fields: readonly DraftField[] };

/** The steps of the wizard with their fields. */
export const WIZARD_STEPS: readonly [WizardStep, ...WizardStep[]] = [
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
  { id: "review", name: t`Summary`, title: t`Look it over`, fields: [] },
];

/** Returns the index of the first step with an invalid field; the last step if all are valid. */
function firstInvalidStep(draft: DeploymentDraft): number {
  const result = draftSchema.safeParse(draft);
  const invalidFields = new Set(result.success ? [] : result.error.issues.map(({ path }) => path[0]));
  const index = WIZARD_STEPS.findIndex(({ fields }) => fields.some((field) => invalidFields.has(field)));
  return index === -1 ? WIZARD_STEPS.length - 1 : index;
}

/** Returns the index of the step in the URL, or of the first invalid one before it. */
export function readStep(requested: string | null, draft: DeploymentDraft): number {
  const index = WIZARD_STEPS.findIndex(({ id }) => id === requested);
  return Math.min(Math.max(index, 0), firstInvalidStep(draft));
}

/** Returns the step that contains a field. */
export function stepOfField(field: DraftField): StepId {
  return WIZARD_STEPS.find(({ fields }) => fields.includes(field))?.id ?? "review";
}
