/** The most models that can be compared: more fit neither side by side nor into one chat. */
export const MOST = 4;
/** The fewest models that make a comparison. */
export const FEWEST = 2;

const MODEL_ID = /^[^/\s]+\/[^/\s]+$/;

/**
 * Returns the comma-separated model ids in a query parameter, without duplicates, at most as many as can be compared.
 */
export function readPicks(text: string | null | undefined): string[] {
  const ids = (text ?? "").split(",").filter((id) => MODEL_ID.test(id));
  return [...new Set(ids)].slice(0, MOST);
}

/** Returns model ids as a query parameter. */
export const writePicks = (ids: readonly string[]): string => ids.join(",");

/** Returns the selection with a model added, or removed where it is in it. */
export function toggled(picks: readonly string[], id: string): string[] {
  return picks.includes(id) ? picks.filter((other) => other !== id) : [...picks, id].slice(0, MOST);
}

/** Returns the address of the comparison. The list's filters stay in it, for the way back. */
export function comparing(params: URLSearchParams, ids: readonly string[]): string {
  const next = new URLSearchParams(params);
  next.delete("pick");
  next.set("compare", writePicks(ids));
  return addressOf(next);
}

/** Returns the address of the list with these models selected. */
export function picking(params: URLSearchParams, ids: readonly string[]): string {
  const next = new URLSearchParams(params);
  next.delete("compare");
  next.delete("pick");
  if (ids.length > 0) next.set("pick", writePicks(ids));
  return addressOf(next);
}

/** Slashes and commas are valid in a query and easier to read unencoded. */
const addressOf = (params: URLSearchParams): string =>
  params.size === 0 ? "/models" : `/models?${params.toString().replaceAll("%2F", "/").replaceAll("%2C", ",")}`;
