import { zodResolver } from "@hookform/resolvers/zod";
import { type UseFormReturn, useForm } from "react-hook-form";
import { faultText, fieldFaults } from "./faults.ts";
import { type Draft, type DraftField, draftRules, EMPTY_DRAFT } from "./settings.ts";

export type DraftForm = UseFormReturn<Draft>;

const FIELDS = Object.keys(EMPTY_DRAFT) as DraftField[];

/** What the server calls otherwise than the form. */
const SERVERS: Record<string, DraftField> = { scale_to_zero_after_s: "sleep_minutes", autoscale: "target" };

export function useDraftForm(initial: Draft): DraftForm {
  return useForm<Draft>({
    resolver: zodResolver(draftRules),
    // On leaving a field, and from then on with every change.
    mode: "onTouched",
    criteriaMode: "all",
    defaultValues: initial,
  });
}

/** Every failing rule of a field. */
export function errorsOf({ formState: { errors } }: DraftForm, field: DraftField): string[] {
  const error = errors[field];
  const all = Object.values(error?.types ?? {})
    .flat()
    .filter((message) => typeof message === "string");
  return all.length > 0 ? [...new Set(all)] : error?.message ? [error.message] : [];
}

/** Puts what the server refused to its fields. Answers those, and the words where it is about none of them. */
export function placeFaults(form: DraftForm, error: unknown): { fields: DraftField[]; text: string | null } {
  const faults = fieldFaults(error, [...FIELDS, ...Object.keys(SERVERS)]).map(({ field, message }) => ({
    field: SERVERS[field] ?? (field as DraftField),
    message,
  }));
  for (const { field, message } of faults) form.setError(field, { type: "server", message });
  return { fields: faults.map(({ field }) => field), text: faults.length > 0 ? null : faultText(error) };
}
