import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { errorMessage } from "./error-message.ts";

/** Returns the message for a failed query. `what` names the data in the plural. */
export function loadErrorMessage(error: unknown, what: string): string {
  return isApiError(error) && error.status < 500 ? errorMessage(error) : t`${what} cannot be read just now.`;
}

const FIELD_BY_CODE: Record<string, string> = {
  "deployments.name_taken": "name",
  "deployments.provider_unavailable": "provider_id",
  "deployments.model_not_here": "model_id",
  "deployments.too_large": "model_id",
  "deployments.revision_not_here": "revision",
  model_not_found: "model_id",
};

/** Returns the server's validation errors by field; empty if the error concerns none of the known fields. */
export function fieldErrors(error: unknown, knownFields: readonly string[]): { field: string; message: string }[] {
  if (!isApiError(error)) return [];
  const matchedFields = error.fields
    .map(({ field, message }) => ({ field: field.split(/[./]/)[0] ?? field, message }))
    .filter(({ field }) => knownFields.includes(field));
  if (matchedFields.length > 0) return matchedFields;
  const field = error.param ?? FIELD_BY_CODE[error.code ?? ""] ?? /^(\w+) is not valid/.exec(error.message)?.[1];
  return field !== undefined && knownFields.includes(field) ? [{ field, message: error.message }] : [];
}
