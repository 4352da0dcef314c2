import { zodResolver } from "@hookform/resolvers/zod";
import { listErrorMessages, useValidatedForm, type ValidatedForm } from "#/components/ui/forms/use-validated-form.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { createFieldLookup, listFieldErrors } from "#/lib/field-errors.ts";
import { type DeploymentDraft, type DraftField, draftSchema, EMPTY_DRAFT } from "./draft.ts";

/** The form of a deployment's settings. */
export type DraftForm = ValidatedForm<DeploymentDraft>;

const toDraftField = createFieldLookup(Object.keys(EMPTY_DRAFT) as DraftField[], {
  scale_to_zero_after_s: "sleep_minutes",
  autoscale: "target",
});

const FIELDS_BY_CODE: Record<string, DraftField> = {
  "deployments.name_taken": "name",
  "deployments.provider_unavailable": "provider_id",
  "deployments.model_not_here": "model_id",
  "deployments.too_large": "model_id",
  "deployments.revision_not_here": "revision",
  model_not_found: "model_id",
};

/** A form of a deployment's settings, with validation. */
export const useDraftForm = (initial: DeploymentDraft): DraftForm =>
  useValidatedForm<DeploymentDraft>({ resolver: zodResolver(draftSchema), initial });

/** Returns the error messages of a field. */
export const errorsOfField = ({ formState }: DraftForm, field: DraftField): string[] =>
  listErrorMessages(formState.errors[field]);

/**
 * Shows the server's errors at their fields. Returns those fields, and a message if the error concerns none of them.
 */
export function setServerErrors(form: DraftForm, error: unknown): { fields: DraftField[]; message: string | null } {
  const errors = listFieldErrors(error, toDraftField, FIELDS_BY_CODE);
  for (const { field, message } of errors) form.setError(field, { type: "server", message });
  return { fields: errors.map(({ field }) => field), message: errors.length > 0 ? null : errorMessage(error) };
}
