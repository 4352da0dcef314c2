/** Returns fields as query parameters, without null and undefined. A list becomes one parameter per value; dates are ISO 8601. */
export function toSearchParams(fields: unknown): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one != null) params.append(name, one instanceof Date ? one.toISOString() : String(one));
  return params;
}

/**
 * Returns the URL of a platform's site, also for that of its API and for the one that clients of OpenAI are given: without a
 * slash, `/api`, `/v1` or `/api/v1` at its end.
 */
export function toSiteUrl(url: string): string {
  return url.replace(/\/+$/, "").replace(/(?<!\/)(\/api)?(\/v1)?$/, "");
}

/**
 * Returns a path with its parameters filled in. Throws `TypeError` for a value that would lead to another path: nothing, `.`
 * and `..`.
 */
export function formatPath(path: string, params: Record<string, unknown>): string {
  return path.replaceAll(/{(\w+)}/g, (_, name: string) => {
    const value = params[name];
    if (value == null || value === "" || value === "." || value === "..")
      throw new TypeError(`The path parameter ${name} cannot be ${JSON.stringify(value)}.`);
    return encodeURIComponent(String(value));
  });
}
