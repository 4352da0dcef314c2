import { isApiError } from "@feather/sdk";

/** A message of the server for a field of a form. */
export type FieldError<F> = { field: F; message: string };

/**
 * Returns the server's messages for the fields of a form; empty if the error is about none of them.
 * @param toField The form's field for a field of the API; null where the form has none.
 * @param fieldsByCode Fields of errors that are about one without naming it, by error code.
 */
export function listFieldErrors<F extends string>(
  error: unknown,
  toField: (name: string) => F | null,
  fieldsByCode: Readonly<Record<string, F>> = {},
): FieldError<F>[] {
  if (!isApiError(error)) return [];
  const { code, fields, message, param } = error;
  const fieldOfCode = fieldsByCode[code ?? ""];
  if (fields.length === 0 && fieldOfCode !== undefined) return [{ field: fieldOfCode, message }];
  const named = fields.length > 0 ? fields : [{ field: param ?? nameInMessage(message), message }];
  return named.flatMap((item) => {
    const field = toField(firstPart(item.field));
    return field === null ? [] : [{ field, message: item.message }];
  });
}

/** Returns a function for `listFieldErrors` whose form has these fields, under the API's names unless `renamed`. */
export function createFieldLookup<F extends string>(
  fields: readonly F[],
  renamed: Readonly<Record<string, F>> = {},
): (name: string) => F | null {
  const names = new Map<string, F>([...fields.map((field) => [field, field] as const), ...Object.entries(renamed)]);
  return (name) => names.get(name) ?? null;
}

/** The name of a field without the part that is wrong: `scopes` of `scopes.0` or `/scopes/0`. */
const firstPart = (path: string): string => /^\W?([\w-]*)/.exec(path)?.[1] ?? "";

const nameInMessage = (message: string): string => /^(\w+) is not valid/.exec(message)?.[1] ?? "";
