import { plural, t } from "@lingui/core/macro";
import { listOf } from "#/lib/format.ts";
import type { Answer, Components, Operation, Parameter, Ref, Schema, Security } from "./types.ts";

const isRef = (value: object): value is Ref => "$ref" in value && typeof (value as Ref).$ref === "string";

/** Returns the target of a `$ref`, or the value itself. */
function resolve<T extends object>(value: T | Ref, components: Components): T | undefined {
  if (!isRef(value)) return value;
  const [, group = "", name = ""] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref) ?? [];
  return components[group]?.[name] as T | undefined;
}

/** Returns the parameters of an operation with their references resolved. */
export const parametersOf = ({ parameters = [] }: Operation, components: Components): Parameter[] =>
  parameters.flatMap((parameter) => resolve<Parameter>(parameter, components) ?? []);

/** Returns the responses of an operation with their references resolved. */
export const answersOf = ({ responses }: Operation, components: Components): { status: string; answer: Answer }[] =>
  Object.entries(responses).flatMap(([status, response]) => {
    const answer = resolve<Answer>(response, components);
    return answer ? [{ status, answer }] : [];
  });

/** The name of a schema, if it has one. */
const nameOf = (schema: Schema): string | null => /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? "")?.[1] ?? null;

/** Returns a schema with its `$ref` resolved and its `allOf` merged. */
export function flat(schema: Schema, components: Components): Schema {
  const own = schema.$ref
    ? { ...(resolve<Schema>({ $ref: schema.$ref }, components) ?? {}), ...withoutRef(schema) }
    : schema;
  if (!own.allOf) return own;
  const parts = own.allOf.map((part) => flat(part, components));
  return {
    ...own,
    type: own.type ?? "object",
    properties: Object.assign({}, ...parts.map((part) => part.properties ?? {}), own.properties ?? {}) as Record<
      string,
      Schema
    >,
    required: [...parts.flatMap((part) => part.required ?? []), ...(own.required ?? [])],
  };
}

function withoutRef({ $ref: _, ...rest }: Schema): Schema {
  return rest;
}

/** Returns the type of a field as text: `string or null`, `list of Model`, `one of a, b`. */
export function typeWords(schema: Schema, components: Components): string {
  const name = nameOf(schema);
  const own = flat(schema, components);
  if (own.const !== undefined) return JSON.stringify(own.const);
  const choices = own.anyOf ?? own.oneOf;
  if (choices) {
    const words = [...new Set(choices.map((choice) => typeWords(choice, components)))].filter((word) => word !== "");
    return listOf(words, "disjunction");
  }
  const types = typeof own.type === "string" ? [own.type] : (own.type ?? []);
  const words = types.map((type) => {
    if (type === "array") return own.items ? t`list of ${typeWords(own.items, components)}` : t`list`;
    if (type === "object") return name ?? t`object`;
    if (type === "string" && own.format === "date-time") return t`date and time`;
    if (type === "string" && own.format === "date") return t`date`;
    return type;
  });
  return listOf(words, "disjunction") || (own.properties ? (name ?? t`object`) : t`any`);
}

/** Returns the limits of a field as texts. */
export function limitWords(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems, pattern } = schema;
  const range = (
    low: number | undefined,
    high: number | undefined,
    unit: (value: number) => string = String,
  ): string[] => {
    if (low !== undefined && high !== undefined)
      return [low === high ? t`exactly ${unit(low)}` : t`${low} to ${unit(high)}`];
    if (low !== undefined) return [t`at least ${unit(low)}`];
    return high === undefined ? [] : [t`at most ${unit(high)}`];
  };
  return [
    ...range(minLength, maxLength, (value) => plural(value, { one: "# character", other: "# characters" })),
    ...range(minimum, maximum),
    ...(exclusiveMinimum === undefined ? [] : [t`above ${exclusiveMinimum}`]),
    ...range(minItems, maxItems, (value) => plural(value, { one: "# entry", other: "# entries" })),
    ...(pattern === undefined ? [] : [t`form ${pattern}`]),
  ];
}

/**
 * Returns the fields of a schema: its properties, those of its items, or those of its only alternative that has some.
 */
export function fieldsOf(
  schema: Schema,
  components: Components,
): { name: string; schema: Schema; required: boolean }[] {
  const own = flat(schema, components);
  if (own.properties)
    return Object.entries(own.properties).map(([name, field]) => ({
      name,
      schema: field,
      required: own.required?.includes(name) ?? false,
    }));
  if (own.items) return fieldsOf(own.items, components);
  const withFields = (own.anyOf ?? own.oneOf ?? []).filter((choice) => fieldsOf(choice, components).length > 0);
  return withFields.length === 1 && withFields[0] ? fieldsOf(withFields[0], components) : [];
}

const WHO: Readonly<Record<string, string>> = {
  session: t`a signed-in browser`,
  bearer: t`an API key or access token`,
  client: t`an application's id and secret`,
};

/** Returns who may make a call, as text. */
export function accessWords(security: readonly Security[] | undefined): string {
  if (!security || security.length === 0) return t`Everybody.`;
  const open = security.some((way) => Object.keys(way).length === 0);
  const ways = security.flatMap((way) =>
    Object.entries(way).map(([scheme, scopes]) => {
      const who = WHO[scheme] ?? scheme;
      if (scopes.includes("admin"))
        return scheme === "session" ? t`a signed-in admin` : t`${who} of an admin with the scope admin`;
      return scopes.length > 0 ? t`${who} with the scope ${scopes.join(", ")}` : who;
    }),
  );
  const text = ways.reduce((all, way) => t`${all}, or ${way}`);
  return open ? t`Everybody. More is answered to ${text}.` : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
