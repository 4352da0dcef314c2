/** Returns the value of a query parameter (null if absent) and the query string without it. */
export function extractParameter(search: string, name: string): { value: string | null; rest: string } {
  const params = new URLSearchParams(search);
  const value = params.get(name);
  if (value === null) return { value, rest: search };
  params.delete(name);
  const rest = params.toString();
  return { value, rest: rest === "" ? "" : `?${rest}` };
}
