/**
 * Returns fields as a form with files, without null and undefined. The name of a list ends with `[]`; objects are sent as JSON. A
 * file without a name is called `blob`.
 */
export function toFormData(fields: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields ?? {}))
    if (Array.isArray(value)) for (const one of value) form.append(`${name}[]`, String(one));
    else if (value instanceof Blob) form.append(name, value);
    else if (value != null) form.append(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  return form;
}
