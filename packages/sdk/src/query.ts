/** Returns fields as query parameters, without null and undefined. A list becomes one parameter per value; dates are ISO 8601. */
export function toSearchParams(fields: unknown): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one != null) params.append(name, one instanceof Date ? one.toISOString() : String(one));
  return params;
}

/** Returns the URL with the fields as its query; unchanged when no field has a value. */
export function withQuery(address: string, fields: unknown): string {
  const text = toSearchParams(fields).toString();
  return text === "" ? address : `${address}?${text}`;
}
