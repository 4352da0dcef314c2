/** Fields that hold what others wrote: their own fields are left as they are. */
const FOREIGN_FIELDS = new Set(["details", "engine_args", "metadata"]);
const ISO_DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
/** Numbers below it are no milliseconds since 1970 of a date after 1973, but seconds, or no dates. */
const MIN_MILLISECONDS = 100_000_000_000;

/**
 * Turns every field whose name ends in `_at` or `_date` and whose value is an ISO 8601 date or a number of milliseconds since
 * 1970 into a `Date`, in place and at any depth.
 */
export function reviveDates<T>(value: T): T {
  if (Array.isArray(value)) {
    for (const item of value) reviveDates(item);
    return value;
  }
  if (typeof value !== "object" || value === null) return value;
  const record = value as Record<string, unknown>;
  for (const [name, field] of Object.entries(record)) {
    if (typeof field === "object") {
      if (!FOREIGN_FIELDS.has(name)) reviveDates(field);
    } else if ((name.endsWith("_at") || name.endsWith("_date")) && isDate(field)) record[name] = new Date(field);
  }
  return value;
}

function isDate(value: unknown): value is string | number {
  if (typeof value === "number") return value >= MIN_MILLISECONDS;
  return typeof value === "string" && ISO_DATE.test(value) && !Number.isNaN(Date.parse(value));
}
