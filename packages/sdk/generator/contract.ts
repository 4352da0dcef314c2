/** The contract as the generators read it: its operations in order, with the input and the response of each. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A parameter of the contract, or a reference to one. */
export type Parameter = {
  name?: string;
  in?: string;
  required?: boolean;
  schema?: { pattern?: string };
  $ref?: string;
};
type Example = { value: unknown };
/** A schema of the contract, or a reference to one. */
type Schema = { $ref?: string; oneOf?: Schema[]; properties?: Record<string, unknown> };
type Media = { schema?: Schema; examples?: Record<string, Example> };
/** An operation as the contract describes it. */
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
};
type PathItem = { parameters?: Parameter[] } & Record<string, Operation>;
type Document = {
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> };
};

/** An operation with its method, its path, and the parameters of both the path and the operation. */
export type OperationEntry = {
  id: string;
  method: string;
  path: string;
  operation: Operation;
  parameters: Parameter[];
};

const METHODS = ["get", "put", "post", "delete"] as const;

/** Returns the text of a file of the contract's package. */
export const contractFile = (specifier: string): string =>
  readFileSync(fileURLToPath(import.meta.resolve(specifier)), "utf8");

/** The bundled contract. */
export const document = JSON.parse(contractFile("@feather/openapi/openapi.json")) as Document;

/** All operations, in the order of the contract. */
export const entries: readonly OperationEntry[] = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    if (!operation) return [];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
    return [{ id: operation.operationId, method: method.toUpperCase(), path, operation, parameters }];
  }),
);

function resolve(parameter: Parameter): Parameter {
  const name = parameter.$ref?.split("/").at(-1);
  return name === undefined ? parameter : (document.components.parameters[name] ?? parameter);
}

/** Returns the kind of input that a method takes after its path parameters; undefined for none. */
export function inputKindOf({ operation, parameters }: OperationEntry): "body" | "form" | "file" | "query" | undefined {
  const content = operation.requestBody?.content;
  if (content && "multipart/form-data" in content) return "file";
  if (content) return "application/json" in content ? "body" : "form";
  return parameters.some((parameter) => parameter.in === "query") ? "query" : undefined;
}

/** Returns whether the input may be omitted. */
export function isInputOptional(entry: OperationEntry): boolean {
  if (inputKindOf(entry) !== "query") return entry.operation.requestBody?.required !== true;
  return !entry.parameters.some((parameter) => parameter.in === "query" && parameter.required === true);
}

/** Returns the names of an operation's path parameters, in order. */
export const pathParameters = ({ path }: OperationEntry): string[] =>
  [...path.matchAll(/{(\w+)}/g)].map(([, name = ""]) => name);

/** Returns the success response of an operation: its status, and its content by media type. */
export function successOf({ operation }: OperationEntry): { status: number; content: Record<string, Media> } {
  const [status = "200", response] = Object.entries(operation.responses).find(([code]) => code.startsWith("2")) ?? [];
  return { status: Number(status), content: response?.content ?? {} };
}

/** Names that would hide a global of JavaScript. */
const RENAMED: Readonly<Record<string, string>> = { Error: "ErrorBody" };

/** Returns the name of a schema's type. */
export const typeNameOf = (schemaName: string): string => RENAMED[schemaName] ?? schemaName;

/**
 * Returns the name of the schema of a body; undefined for texts, whose schema has none. Of several, the first: the others
 * are for clients of other providers, which send a header.
 */
function schemaNameOf(media: Media | undefined): string | undefined {
  const schema = media?.schema?.oneOf?.[0] ?? media?.schema;
  return schema?.$ref?.split("/").at(-1);
}

/** Returns the type of the body that an operation takes; undefined where it takes none. */
export function bodyTypeOf({ operation }: OperationEntry): string | undefined {
  const name = schemaNameOf(Object.values(operation.requestBody?.content ?? {})[0]);
  return name === undefined ? undefined : typeNameOf(name);
}

/** Returns the type of what a call resolves to: that of the JSON, a file, else text; `undefined` for an empty response. */
export function resultTypeOf({ operation }: OperationEntry): string {
  const successes = Object.entries(operation.responses).filter(([status]) => /^20[0124]$/.test(status));
  const types = successes.map(([, { content }]) => {
    if (content === undefined) return "undefined";
    const name = schemaNameOf(content["application/json"]);
    if (name !== undefined) return typeNameOf(name);
    return ["application/octet-stream", "application/pdf", "audio/*"].some((type) => type in content)
      ? "Blob"
      : "string";
  });
  // A call that only redirects has no success response.
  return [...new Set(types)].join(" | ") || "undefined";
}

/** Returns whether an operation returns a paginated list. */
export function isPaged(entry: OperationEntry): boolean {
  const name = schemaNameOf(successOf(entry).content["application/json"]);
  const properties = name === undefined ? undefined : document.components.schemas[name]?.properties;
  return properties !== undefined && "items" in properties && "pagination" in properties;
}

/** Returns when an operation streams: if the body says `stream`, if the request options do (`asked`), always, or never. */
export function streamingOf(entry: OperationEntry): "body" | "asked" | "always" | "never" {
  const { content } = successOf(entry);
  if (!("text/event-stream" in content)) return "never";
  if (["body", "file"].includes(inputKindOf(entry) ?? "")) return "body";
  return entry.id.endsWith(".stream") || !("application/json" in content) ? "always" : "asked";
}

/** Paths of calls to models, whose results the server does not keep. */
const MODEL_PATHS = /^(\/deployments\/\{id\})?\/v1\//;

/**
 * Returns whether an operation ignores idempotency keys although it is a POST that asks no model. With one, the server runs all
 * others once: those that need a sign-in.
 */
export function ignoresIdempotencyKey({ method, path, operation }: OperationEntry): boolean {
  const isSignedIn = (operation.security ?? []).every((scheme) => Object.keys(scheme).length > 0);
  return method === "POST" && !MODEL_PATHS.test(path) && !(operation.security !== undefined && isSignedIn);
}
