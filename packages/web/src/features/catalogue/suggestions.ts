import { isApiError } from "@feather/sdk";

/** Ids of models that the server thinks were meant by one that it does not know. */
export function suggestionsOf(error: unknown): string[] {
  const suggestions = isApiError(error) ? error.details.suggestions : undefined;
  return Array.isArray(suggestions) ? suggestions.filter((id) => typeof id === "string") : [];
}
