import { FormData } from "undici";

/** Returns the form of a request with a file. The name of a field that is a list ends with `[]`, as at OpenAI. */
export function toForm(fields: object, file: File): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (Array.isArray(value)) for (const item of value) form.append(`${name}[]`, String(item));
    else form.append(name, String(value));
  form.append("file", file, file.name);
  return form;
}
