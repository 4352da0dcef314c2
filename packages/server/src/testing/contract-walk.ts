import { type ContractOperation, loadContract } from "../http/contract.ts";

/** The parts of JSON Schema that tests read. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  enum?: unknown[];
  unevaluatedProperties?: boolean;
  examples?: unknown[];
};
/** A parameter of an operation. */
export type Parameter = {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  schema?: Schema;
};
type Media = { schema?: Schema; examples?: Record<string, { value: unknown }> };
type DescribedOperation = {
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
};

/** An operation of the contract, with its parameters and body. */
export type WalkedOperation = ContractOperation & {
  pathParameters: Parameter[];
  queryParameters: Parameter[];
  /** Schema and a valid example of the JSON body; undefined for operations without one. */
  body: { schema: Schema; example: Record<string, unknown>; required: boolean } | undefined;
};

const contract = loadContract();

function resolveReference<T extends { $ref?: string }>(value: T): T {
  if (value.$ref === undefined) return value;
  const path = value.$ref.replace("#/", "").split("/");
  return resolveReference(
    path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], contract.document) as T,
  );
}

/** Resolves the references of a schema. */
export const schemaOf = (schema: Schema): Schema => resolveReference(schema);

/** All properties of a schema, including those of its alternatives. */
export function listProperties(unresolved: Schema): Record<string, Schema> {
  const schema = resolveReference(unresolved);
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  return Object.assign({}, ...parts.map(listProperties), schema.properties) as Record<string, Schema>;
}

function toWalkedOperation(operation: ContractOperation): WalkedOperation {
  const item = contract.document.paths[operation.path] as unknown as Record<string, DescribedOperation> &
    DescribedOperation;
  const operationObject = item[operation.method.toLowerCase()] ?? {};
  const parameters = [...(item.parameters ?? []), ...(operationObject.parameters ?? [])].map(resolveReference);
  const media = operationObject.requestBody?.content["application/json"];
  const example = Object.values(media?.examples ?? {})[0]?.value;
  return {
    ...operation,
    pathParameters: parameters.filter((parameter) => parameter.in === "path"),
    queryParameters: parameters.filter((parameter) => parameter.in === "query"),
    body: media?.schema && {
      schema: resolveReference(media.schema),
      example: (example ?? {}) as Record<string, unknown>,
      required: operationObject.requestBody?.required ?? false,
    },
  };
}

/** All operations of the contract. */
export const OPERATIONS: readonly WalkedOperation[] = [...contract.operations.values()].map(toWalkedOperation);

/** Rows for `it.each`: name and operation. */
export const rowsOf = (operations: readonly WalkedOperation[]) =>
  operations.map((operation) => [operation.operationId, operation] as const);

/** URL path of an operation. Path parameters are the contract's examples unless `values` has others. */
export function toPath(operation: WalkedOperation, values: Record<string, string> = {}): string {
  return `/api${operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const parameter = operation.pathParameters.find((candidate) => candidate.name === name);
    return encodeURIComponent(values[name] ?? String(parameter?.example ?? "none"));
  })}`;
}

/** Required query parameters of an operation, with the contract's examples. */
export function requiredQueryOf({ queryParameters }: WalkedOperation): Record<string, string> {
  const required = queryParameters.filter((parameter) => parameter.required);
  return Object.fromEntries(
    required.map(({ name, example, schema }) => [name, String(example ?? schema?.examples?.[0])]),
  );
}

/** Returns whether anonymous callers may call the operation. */
export const allowsAnonymous = ({ security }: ContractOperation): boolean =>
  security.length === 0 || security.some((alternative) => Object.keys(alternative).length === 0);

/** Returns whether the operation is for platform admins. */
export const isAdminOnly = ({ security }: ContractOperation): boolean =>
  security.some((alternative) => Object.values(alternative).flat().includes("admin"));
