import { zodResolver } from "@hookform/resolvers/zod";
import { errorMessages, useValidatedForm, type ValidatedForm } from "#/components/ui/use-validated-form.ts";
import { faultText, fieldFaults } from "./faults.ts";
import { type Draft, type DraftField, draftRules, EMPTY_DRAFT } from "./settings.ts";

/** The form of a deployment's settings. */
export type DraftForm = ValidatedForm<Draft>;

const FIELDS = Object.keys(EMPTY_DRAFT) as DraftField[];

/** Form fields by the name that the server uses in errors, where it differs. */
const SERVERS: Record<string, DraftField> = { scale_to_zero_after_s: "sleep_minutes", autoscale: "target" };

/** A form of a deployment's settings, with validation. */
export const useDraftForm = (initial: Draft): DraftForm =>
  useValidatedForm<Draft>({ resolver: zodResolver(draftRules), initial });

/** Returns the error messages of a field. */
export const errorsOf = ({ formState }: DraftForm, field: DraftField): string[] =>
  errorMessages(formState.errors[field]);

/**
 * Shows the server's errors at their fields. Returns those fields, and a message if the error concerns none of them.
 */
export function placeFaults(form: DraftForm, error: unknown): { fields: DraftField[]; text: string | null } {
  const faults = fieldFaults(error, [...FIELDS, ...Object.keys(SERVERS)]).map(({ field, message }) => ({
    field: SERVERS[field] ?? (field as DraftField),
    message,
  }));
  for (const { field, message } of faults) form.setError(field, { type: "server", message });
  return { fields: faults.map(({ field }) => field), text: faults.length > 0 ? null : faultText(error) };
}
