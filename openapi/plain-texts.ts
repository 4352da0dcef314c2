/** Adds to the texts of requests that they hold no NUL character, which PostgreSQL cannot store. */

type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  pattern?: string;
  "x-pattern-message"?: string;
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
};
type Parameter = { $ref?: string; in?: string; schema?: Schema };
type Body = { content?: Readonly<Record<string, { schema?: Schema }>> };
type Operation = { parameters?: readonly Parameter[]; requestBody?: Body };
/** The parts of the bundled contract that requests consist of. */
export type DocumentWithRequests = { paths: Readonly<Record<string, object>>; components?: object };

/** The pattern of texts that have no other. */
export const PLAIN_TEXT = "^[^\\u0000]*$";
const MESSAGE = "must hold no NUL character";
const METHODS = ["get", "put", "post", "delete", "patch"] as const;
/** Calls to models, whose texts are passed on as they are. */
const MODEL_PATHS = /^(\/deployments\/\{id\})?\/v1\//;

/**
 * Adds the pattern to the texts in queries and bodies that have no rule of their own, so that validation refuses what the
 * database would. Those of calls to models are left as they are. Changes `document` in place.
 */
export function addPlainTextRule(document: DocumentWithRequests): void {
  const [modelPaths, others] = partition(Object.entries(document.paths), ([path]) => MODEL_PATHS.test(path));
  const kept = listSchemas(document, modelPaths);
  for (const schema of listSchemas(document, others)) if (!kept.has(schema) && isPlainText(schema)) addRule(schema);
}

function partition<T>(values: readonly T[], matches: (value: T) => boolean): [T[], T[]] {
  return [values.filter(matches), values.filter((value) => !matches(value))];
}

function isPlainText({ type, pattern, enum: values, const: value, format }: Schema): boolean {
  return [type].flat().includes("string") && [pattern, values, value, format].every((rule) => rule === undefined);
}

function addRule(schema: Schema): void {
  schema.pattern = PLAIN_TEXT;
  schema["x-pattern-message"] = MESSAGE;
}

/** Returns all schemas of the queries and bodies of paths, also those within others. */
function listSchemas(document: DocumentWithRequests, paths: readonly [string, object][]): ReadonlySet<Schema> {
  const found = new Set<Schema>();
  const resolve = <T extends { $ref?: string }>(value: T): T =>
    value.$ref === undefined
      ? value
      : (value.$ref
          .split("/")
          .slice(1)
          .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document) as T);
  const visit = (reference: Schema | undefined): void => {
    if (reference === undefined) return;
    const schema = resolve(reference);
    if (found.has(schema)) return;
    found.add(schema);
    const { properties = {}, additionalProperties, items, allOf = [], oneOf = [], anyOf = [] } = schema;
    const others = typeof additionalProperties === "object" ? [additionalProperties] : [];
    for (const inner of [...Object.values(properties), ...others, items, ...allOf, ...oneOf, ...anyOf]) visit(inner);
  };
  for (const { parameters = [], requestBody } of paths.flatMap(([, item]) => listOperations(item))) {
    for (const parameter of parameters.map(resolve)) if (parameter.in === "query") visit(parameter.schema);
    for (const { schema } of Object.values(requestBody?.content ?? {})) visit(schema);
  }
  return found;
}

function listOperations(item: object): Operation[] {
  const { parameters = [], ...operations } = item as Operation & Partial<Record<(typeof METHODS)[number], Operation>>;
  return METHODS.flatMap((method) => {
    const operation = operations[method];
    return operation ? [{ ...operation, parameters: [...parameters, ...(operation.parameters ?? [])] }] : [];
  });
}
