/** The most models that can be compared: more fit neither side by side nor into one chat. */
export const MAX_PICKS = 4;
/** The fewest models that make a comparison. */
export const MIN_PICKS = 2;

const MODEL_ID = /^[^/\s]+\/[^/\s]+$/;

/**
 * Returns the comma-separated model ids in a query parameter, without duplicates, at most as many as can be compared.
 */
export function parsePicks(text: string | null | undefined): string[] {
  const ids = (text ?? "").split(",").filter((id) => MODEL_ID.test(id));
  return [...new Set(ids)].slice(0, MAX_PICKS);
}

/** Returns model ids as a query parameter. */
export const formatPicks = (ids: readonly string[]): string => ids.join(",");

/** Returns the selection with a model added, or removed where it is in it. */
export function togglePick(picks: readonly string[], id: string): string[] {
  return picks.includes(id) ? picks.filter((other) => other !== id) : [...picks, id].slice(0, MAX_PICKS);
}

/** Returns the address of the comparison. The list's filters stay in it, for the way back. */
export function comparisonPath(params: URLSearchParams, ids: readonly string[]): string {
  const next = new URLSearchParams(params);
  next.delete("pick");
  next.set("compare", formatPicks(ids));
  return modelsPath(next);
}

/** Returns the address of the list with these models selected. */
export function pickingPath(params: URLSearchParams, ids: readonly string[]): string {
  const next = new URLSearchParams(params);
  next.delete("compare");
  next.delete("pick");
  if (ids.length > 0) next.set("pick", formatPicks(ids));
  return modelsPath(next);
}

/** Slashes and commas are valid in a query and easier to read unencoded. */
const modelsPath = (params: URLSearchParams): string =>
  params.size === 0 ? "/models" : `/models?${params.toString().replaceAll("%2F", "/").replaceAll("%2C", ",")}`;
