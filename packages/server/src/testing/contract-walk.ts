import { type ContractOperation, loadContract } from "../http/contract.ts";

/** What tests read of a JSON schema. */
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
export type Parameter = {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  schema?: Schema;
};
type Media = { schema?: Schema; examples?: Record<string, { value: unknown }> };
type Described = { parameters?: Parameter[]; requestBody?: { required?: boolean; content: Record<string, Media> } };

export type WalkedOperation = ContractOperation & {
  pathParameters: Parameter[];
  queryParameters: Parameter[];
  /** The schema of its JSON body, and an example that holds; undefined for operations without one. */
  body: { schema: Schema; example: Record<string, unknown>; required: boolean } | undefined;
};

const contract = loadContract();

function resolved<T extends { $ref?: string }>(value: T): T {
  if (value.$ref === undefined) return value;
  const path = value.$ref.replace("#/", "").split("/");
  return resolved(path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], contract.document) as T);
}

/** A schema with its references followed. */
export const schemaOf = (schema: Schema): Schema => resolved(schema);

/** Every property that objects of this schema may have, also those of its parts. */
export function propertiesOf(given: Schema): Record<string, Schema> {
  const schema = resolved(given);
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  return Object.assign({}, ...parts.map(propertiesOf), schema.properties) as Record<string, Schema>;
}

function walked(operation: ContractOperation): WalkedOperation {
  const item = contract.document.paths[operation.path] as unknown as Record<string, Described> & Described;
  const own = item[operation.method.toLowerCase()] ?? {};
  const parameters = [...(item.parameters ?? []), ...(own.parameters ?? [])].map(resolved);
  const media = own.requestBody?.content["application/json"];
  const example = Object.values(media?.examples ?? {})[0]?.value;
  return {
    ...operation,
    pathParameters: parameters.filter((parameter) => parameter.in === "path"),
    queryParameters: parameters.filter((parameter) => parameter.in === "query"),
    body: media?.schema && {
      schema: resolved(media.schema),
      example: (example ?? {}) as Record<string, unknown>,
      required: own.requestBody?.required ?? false,
    },
  };
}

/** Every operation of the contract, with what a test needs to call it. */
export const OPERATIONS: readonly WalkedOperation[] = [...contract.operations.values()].map(walked);

/** Rows for `it.each`: the name in front. */
export const rowsOf = (operations: readonly WalkedOperation[]) =>
  operations.map((operation) => [operation.operationId, operation] as const);

/** The address of an operation. Parameters are the contract's examples unless `values` has others. */
export function addressOf(operation: WalkedOperation, values: Record<string, string> = {}): string {
  return `/api${operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const parameter = operation.pathParameters.find((candidate) => candidate.name === name);
    return encodeURIComponent(values[name] ?? String(parameter?.example ?? "none"));
  })}`;
}

/** The query parameters that an operation cannot do without, as the contract's examples. */
export function requiredQueryOf({ queryParameters }: WalkedOperation): Record<string, string> {
  const required = queryParameters.filter((parameter) => parameter.required);
  return Object.fromEntries(
    required.map(({ name, example, schema }) => [name, String(example ?? schema?.examples?.[0])]),
  );
}

/** Whether visitors may call it. */
export const isOpen = ({ security }: ContractOperation): boolean =>
  security.length === 0 || security.some((alternative) => Object.keys(alternative).length === 0);

/** Whether it is for the admins of the platform. */
export const isForAdmins = ({ security }: ContractOperation): boolean =>
  security.some((alternative) => Object.values(alternative).flat().includes("admin"));

/** What OAuth calls these refusals. */
const OAUTH_CODES: Record<string, string> = {
  login_required: "unauthorized",
  access_denied: "impersonation_forbidden",
};

/** The code of an error in any of the envelopes. */
export function codeOf(body: unknown): string | undefined {
  const { data, error } = (body ?? {}) as { data?: string; error?: { code?: string } | string };
  if (typeof error === "object") return error.code;
  if (typeof error === "string") return OAUTH_CODES[error] ?? error;
  try {
    return (JSON.parse(data ?? "{}") as { code?: string }).code;
  } catch {
    return undefined;
  }
}
