import { zodResolver } from "@hookform/resolvers/zod";
import { errorMessages, useValidatedForm, type ValidatedForm } from "#/components/ui/use-validated-form.ts";
import { faultText, fieldFaults } from "./faults.ts";
import { type Draft, type DraftField, draftRules, EMPTY_DRAFT } from "./settings.ts";

export type DraftForm = ValidatedForm<Draft>;

const FIELDS = Object.keys(EMPTY_DRAFT) as DraftField[];

/** What the server calls otherwise than the form. */
const SERVERS: Record<string, DraftField> = { scale_to_zero_after_s: "sleep_minutes", autoscale: "target" };

export const useDraftForm = (initial: Draft): DraftForm =>
  useValidatedForm<Draft>({ resolver: zodResolver(draftRules), initial });

/** Every failing rule of a field. */
export const errorsOf = ({ formState }: DraftForm, field: DraftField): string[] =>
  errorMessages(formState.errors[field]);

/** Puts what the server refused to its fields. Answers those, and the words where it is about none of them. */
export function placeFaults(form: DraftForm, error: unknown): { fields: DraftField[]; text: string | null } {
  const faults = fieldFaults(error, [...FIELDS, ...Object.keys(SERVERS)]).map(({ field, message }) => ({
    field: SERVERS[field] ?? (field as DraftField),
    message,
  }));
  for (const { field, message } of faults) form.setError(field, { type: "server", message });
  return { fields: faults.map(({ field }) => field), text: faults.length > 0 ? null : faultText(error) };
}
