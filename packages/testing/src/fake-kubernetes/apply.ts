type Fields = { [name: string]: unknown };

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns an object after a server-side apply with force: fields that were applied before and are not any more are
 * removed, those of others stay. Lists are taken as a whole, unlike in a real cluster.
 */
export function applyFields(current: unknown, before: unknown, next: unknown): unknown {
  if (!isFields(next)) return structuredClone(next);
  const result: Fields = isFields(current) ? { ...current } : {};
  if (isFields(before)) for (const name of Object.keys(before)) if (!(name in next)) delete result[name];
  for (const [name, value] of Object.entries(next))
    result[name] = applyFields(result[name], isFields(before) ? before[name] : undefined, value);
  return result;
}

/** Returns an object after a JSON merge patch: null removes a field. */
export function mergePatch(current: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return structuredClone(patch);
  const result: Fields = isFields(current) ? { ...current } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}
