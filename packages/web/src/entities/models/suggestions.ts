import { isApiError } from "@feather/sdk";

/** Returns the model ids that the server suggests in the error for an unknown one. */
export function getSuggestions(error: unknown): string[] {
  const suggestions = isApiError(error) ? error.details.suggestions : undefined;
  return Array.isArray(suggestions) ? suggestions.filter((id) => typeof id === "string") : [];
}
