/** So many models are compared at most: more do not fit beside one another, nor into a chat. */
export const MOST = 4;
export const FEWEST = 2;

const MODEL_ID = /^[^/\s]+\/[^/\s]+$/;

/** Ids in an address, by comma: each once, in their order, as many as can be compared. */
export function readPicks(text: string | null | undefined): string[] {
  const ids = (text ?? "").split(",").filter((id) => MODEL_ID.test(id));
  return [...new Set(ids)].slice(0, MOST);
}

export const writePicks = (ids: readonly string[]): string => ids.join(",");

/** With one more, or without it. */
export function toggled(picks: readonly string[], id: string): string[] {
  return picks.includes(id) ? picks.filter((other) => other !== id) : [...picks, id].slice(0, MOST);
}

/** The address of models side by side; the filters of the list stay in it for the way back. */
export function comparing(params: URLSearchParams, ids: readonly string[]): string {
  const next = new URLSearchParams(params);
  next.delete("pick");
  next.set("compare", writePicks(ids));
  return addressOf(next);
}

/** The address of the list with these models picked. */
export function picking(params: URLSearchParams, ids: readonly string[]): string {
  const next = new URLSearchParams(params);
  next.delete("compare");
  next.delete("pick");
  if (ids.length > 0) next.set("pick", writePicks(ids));
  return addressOf(next);
}

/** Slashes and commas may stand in a query as they are, and read better so. */
const addressOf = (params: URLSearchParams): string =>
  params.size === 0 ? "/models" : `/models?${params.toString().replaceAll("%2F", "/").replaceAll("%2C", ",")}`;
