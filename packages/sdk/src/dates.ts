/** Turns every field whose name ends in `_at` or `_date` into a `Date`, in place and at any depth; null stays null. */
export function reviveDates<T>(value: T): T {
  if (Array.isArray(value)) {
    for (const item of value) reviveDates(item);
    return value;
  }
  if (typeof value !== "object" || value === null) return value;
  const record = value as Record<string, unknown>;
  for (const name of Object.keys(record)) {
    const field = record[name];
    if ((typeof field === "string" || typeof field === "number") && (name.endsWith("_at") || name.endsWith("_date"))) {
      const date = new Date(field);
      if (!Number.isNaN(date.getTime())) record[name] = date;
    } else if (typeof field === "object") reviveDates(field);
  }
  return value;
}
