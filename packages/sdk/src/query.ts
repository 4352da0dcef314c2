/** Fields as text, without those that have no value. A list stands there once for each of its values. */
export function paramsOf(fields: unknown): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one != null) params.append(name, one instanceof Date ? one.toISOString() : String(one));
  return params;
}

/** An address with a query, if there is any. */
export function withQuery(address: string, fields: unknown): string {
  const text = paramsOf(fields).toString();
  return text === "" ? address : `${address}?${text}`;
}
