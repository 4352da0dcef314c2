import { zodResolver } from "@hookform/resolvers/zod";
import { listErrorMessages, useValidatedForm, type ValidatedForm } from "#/components/ui/use-validated-form.ts";
import { fieldErrors } from "#/lib/deployment-errors.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { type DeploymentDraft, type DraftField, draftSchema, EMPTY_DRAFT } from "./draft.ts";

/** The form of a deployment's settings. */
export type DraftForm = ValidatedForm<DeploymentDraft>;

const DRAFT_FIELDS = Object.keys(EMPTY_DRAFT) as DraftField[];

/** Form fields by the name that the server uses in errors, where it differs. */
const FIELDS_BY_SERVER_NAME: Record<string, DraftField> = {
  scale_to_zero_after_s: "sleep_minutes",
  autoscale: "target",
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
  const errors = fieldErrors(error, [...DRAFT_FIELDS, ...Object.keys(FIELDS_BY_SERVER_NAME)]).map(
    ({ field, message }) => ({
      field: FIELDS_BY_SERVER_NAME[field] ?? (field as DraftField),
      message,
    }),
  );
  for (const { field, message } of errors) form.setError(field, { type: "server", message });
  return { fields: errors.map(({ field }) => field), message: errors.length > 0 ? null : errorMessage(error) };
}
