const NAME = /_(at|date)$/;

/** Turns every field whose name ends in `_at` or `_date` into a `Date`, in place and at any depth; null stays null. */
export function reviveDates<T>(value: T): T {
  if (Array.isArray(value)) {
    for (const item of value) reviveDates(item);
    return value;
  }
  if (typeof value !== "object" || value === null) return value;
  const record = value as Record<string, unknown>;
  for (const [name, field] of Object.entries(record)) {
    if (NAME.test(name) && (typeof field === "string" || typeof field === "number")) {
      const date = new Date(field);
      if (!Number.isNaN(date.getTime())) record[name] = date;
    } else reviveDates(field);
  }
  return value;
}
