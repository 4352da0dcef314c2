import { plural, t } from "@lingui/core/macro";
import { formatList } from "#/lib/format.ts";
import type { Components, Operation, Parameter, Ref, ResponseObject, Schema, SecurityRequirement } from "./types.ts";

const isRef = (value: object): value is Ref => "$ref" in value && typeof (value as Ref).$ref === "string";

/** Returns the target of a `$ref`, or the value itself. */
function resolve<T extends object>(value: T | Ref, components: Components): T | undefined {
  if (!isRef(value)) return value;
  const [, group = "", name = ""] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref) ?? [];
  return components[group]?.[name] as T | undefined;
}

/** Returns the parameters of an operation with their references resolved. */
export const listParameters = ({ parameters = [] }: Operation, components: Components): Parameter[] =>
  parameters.flatMap((parameter) => resolve<Parameter>(parameter, components) ?? []);

/** Returns the responses of an operation with their references resolved. */
export const listResponses = (
  { responses }: Operation,
  components: Components,
): { status: string; resolved: ResponseObject }[] =>
  Object.entries(responses).flatMap(([status, response]) => {
    const resolved = resolve<ResponseObject>(response, components);
    return resolved ? [{ status, resolved }] : [];
  });

/** The name of a schema, if it has one. */
const getSchemaName = (schema: Schema): string | null =>
  /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? "")?.[1] ?? null;

/** Returns a schema with its `$ref` resolved and its `allOf` merged. */
export function flattenSchema(schema: Schema, components: Components): Schema {
  const own = schema.$ref
    ? { ...(resolve<Schema>({ $ref: schema.$ref }, components) ?? {}), ...withoutRef(schema) }
    : schema;
  if (!own.allOf) return own;
  const subschemas = own.allOf.map((part) => flattenSchema(part, components));
  return {
    ...own,
    type: own.type ?? "object",
    properties: Object.assign({}, ...subschemas.map((part) => part.properties ?? {}), own.properties ?? {}) as Record<
      string,
      Schema
    >,
    required: [...subschemas.flatMap((part) => part.required ?? []), ...(own.required ?? [])],
  };
}

function withoutRef({ $ref: _, ...rest }: Schema): Schema {
  return rest;
}

/** Returns the type of a field as text: `string or null`, `list of Model`, `one of a, b`. */
export function describeType(schema: Schema, components: Components): string {
  const name = getSchemaName(schema);
  const own = flattenSchema(schema, components);
  if (own.const !== undefined) return JSON.stringify(own.const);
  const choices = own.anyOf ?? own.oneOf;
  if (choices) {
    const typeNames = [...new Set(choices.map((alternative) => describeType(alternative, components)))].filter(
      (typeName) => typeName !== "",
    );
    return formatList(typeNames, "disjunction");
  }
  const types = typeof own.type === "string" ? [own.type] : (own.type ?? []);
  const typeNames = types.map((type) => {
    if (type === "array") return own.items ? t`list of ${describeType(own.items, components)}` : t`list`;
    if (type === "object") return name ?? t`object`;
    if (type === "string" && own.format === "date-time") return t`date and time`;
    if (type === "string" && own.format === "date") return t`date`;
    return type;
  });
  return formatList(typeNames, "disjunction") || (own.properties ? (name ?? t`object`) : t`any`);
}

/** The pattern of texts that have no rule but to hold no NUL character, which needs no mention at each. */
const PLAIN_TEXT = "^[^\\u0000]*$";

/** Returns the limits of a field as texts. */
export function describeLimits(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems, pattern } = schema;
  const describeRange = (
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
    ...describeRange(minLength, maxLength, (value) => plural(value, { one: "# character", other: "# characters" })),
    ...describeRange(minimum, maximum),
    ...(exclusiveMinimum === undefined ? [] : [t`above ${exclusiveMinimum}`]),
    ...describeRange(minItems, maxItems, (value) => plural(value, { one: "# entry", other: "# entries" })),
    ...(pattern === undefined || pattern === PLAIN_TEXT ? [] : [t`form ${pattern}`]),
  ];
}

/**
 * Returns the fields of a schema: its properties, those of its items, or those of its only alternative that has some.
 */
export function listFields(
  schema: Schema,
  components: Components,
): { name: string; schema: Schema; required: boolean }[] {
  const own = flattenSchema(schema, components);
  if (own.properties)
    return Object.entries(own.properties).map(([name, field]) => ({
      name,
      schema: field,
      required: own.required?.includes(name) ?? false,
    }));
  if (own.items) return listFields(own.items, components);
  const withFields = (own.anyOf ?? own.oneOf ?? []).filter(
    (alternative) => listFields(alternative, components).length > 0,
  );
  return withFields.length === 1 && withFields[0] ? listFields(withFields[0], components) : [];
}

const CREDENTIAL_LABELS: Readonly<Record<string, string>> = {
  session: t`a signed-in browser`,
  bearer: t`an API key or access token`,
  client: t`an application's id and secret`,
};

/** Returns who may make a call, as text. */
export function describeAccess(security: readonly SecurityRequirement[] | undefined): string {
  if (!security || security.length === 0) return t`Everybody.`;
  const isPublic = security.some((way) => Object.keys(way).length === 0);
  const descriptions = security.flatMap((way) =>
    Object.entries(way).map(([scheme, scopes]) => {
      const who = CREDENTIAL_LABELS[scheme] ?? scheme;
      if (scopes.includes("admin"))
        return scheme === "session" ? t`a signed-in admin` : t`${who} of an admin with the scope admin`;
      return scopes.length > 0 ? t`${who} with the scope ${scopes.join(", ")}` : who;
    }),
  );
  const text = descriptions.reduce((all, way) => t`${all}, or ${way}`);
  return isPublic ? t`Everybody. More is answered to ${text}.` : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
