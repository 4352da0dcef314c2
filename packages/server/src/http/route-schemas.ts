import type { ContractDocument, OperationObject, ParameterObject } from "./contract-document.ts";

/** The schema of the parameters of a request in one place. */
export type ParametersSchema = { type: "object"; properties: Record<string, object>; required: string[] };

/** Schemas by content type. */
export type ContentSchemas = { content: Record<string, { schema: object }> };

/** The schemas of an operation without references, in the form in which Fastify takes them. */
export type RouteSchemas = {
  /** Parameters in the path. */
  params?: ParametersSchema;
  querystring?: ParametersSchema;
  /** The names are in lower case. */
  headers?: ParametersSchema;
  body?: ContentSchemas;
  /** By status. Those of errors are left out, because only `renderError` writes errors. */
  response: Record<string, ContentSchemas>;
};

type Content = Record<string, { schema?: object }>;
type Resolve = (value: unknown) => unknown;

/** The content types whose bodies are read and written as values; others are texts and files. */
const VALUE_TYPES: ReadonlySet<string> = new Set(["application/json", "application/x-www-form-urlencoded"]);

/** Returns the schemas of all operations of a document by operationId. What several of them refer to is one object. */
export function readRouteSchemas(document: ContractDocument): ReadonlyMap<string, RouteSchemas> {
  const resolve = createResolver(document);
  const found = new Map<string, RouteSchemas>();
  for (const item of Object.values(document.paths)) {
    const { parameters: ofPath = [], ...operations } = resolve(item) as typeof item;
    for (const operation of Object.values(operations as Record<string, OperationObject>))
      if (operation.operationId !== undefined)
        found.set(operation.operationId, toRouteSchemas(operation, [...(ofPath as ParameterObject[])]));
  }
  return found;
}

function toRouteSchemas(operation: OperationObject, ofPath: readonly ParameterObject[]): RouteSchemas {
  const parameters = [...ofPath, ...(operation.parameters ?? [])];
  const params = toParametersSchema(parameters, "path");
  const querystring = toParametersSchema(parameters, "query");
  const headers = toParametersSchema(parameters, "header");
  const body = toContentSchemas(operation.requestBody?.content);
  return {
    ...(params && { params }),
    ...(querystring && { querystring }),
    ...(headers && { headers }),
    ...(body && { body }),
    response: toResponses(operation.responses ?? {}),
  };
}

/** Returns the schema of the parameters in one place; null if there are none. Names of headers become lower case. */
export function toParametersSchema(parameters: readonly ParameterObject[], place: string): ParametersSchema | null {
  const here = parameters.filter((parameter) => parameter.in === place);
  if (here.length === 0) return null;
  const nameOf = ({ name = "" }: ParameterObject) => (place === "header" ? name.toLowerCase() : name);
  return {
    type: "object",
    properties: Object.fromEntries(here.map((parameter) => [nameOf(parameter), parameter.schema ?? {}])),
    required: here.filter(({ required }) => required).map(nameOf),
  };
}

function toContentSchemas(content: Content = {}): ContentSchemas | null {
  const schemas = Object.entries(content).flatMap(([type, { schema }]) =>
    VALUE_TYPES.has(type) && schema !== undefined ? [[type, { schema }] as const] : [],
  );
  return schemas.length > 0 ? { content: Object.fromEntries(schemas) } : null;
}

function toResponses(responses: Record<string, { content?: Content }>): RouteSchemas["response"] {
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, { content }]) => {
      const schemas = Number(status) < 400 ? toContentSchemas(content) : null;
      return schemas ? [[status, schemas] as const] : [];
    }),
  );
}

/**
 * Returns a function that replaces references to parts of a document by these parts. A part that is resolved once is the same
 * object everywhere. Throws for a reference to nothing, and for a part that contains itself.
 */
export function createResolver(document: object): Resolve {
  const resolved = new Map<string, unknown>();
  const open = new Set<string>();

  function resolveReference(reference: string): unknown {
    const known = resolved.get(reference);
    if (known !== undefined) return known;
    if (open.has(reference)) throw new Error(`The contract's ${reference} contains itself.`);
    open.add(reference);
    const part = resolve(findPart(document, reference));
    open.delete(reference);
    resolved.set(reference, part);
    return part;
  }

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null) return value;
    if ("$ref" in value && typeof value.$ref === "string") return resolveReference(value.$ref);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]));
  }

  return resolve;
}

/** Returns the part of a document that a reference such as `#/components/schemas/Key` names. */
function findPart(document: object, reference: string): unknown {
  const names = reference.replace(/^#\//, "").split("/");
  let part: unknown = document;
  for (const name of names) {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    part = (part as Record<string, unknown> | undefined)?.[key];
  }
  if (part === undefined) throw new Error(`The contract has no ${reference}.`);
  return part;
}
