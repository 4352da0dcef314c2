/** The contract as the generators read it: its operations in order, and what each takes and answers. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export type Parameter = { name?: string; in?: string; required?: boolean; $ref?: string };
type Example = { value: unknown };
type Media = { schema?: { properties?: Record<string, unknown> }; examples?: Record<string, Example> };
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, Media> }>;
};
type PathItem = { parameters?: Parameter[] } & Record<string, Operation>;
type Document = {
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: { parameters: Record<string, Parameter> };
};

/** An operation with its address and the parameters of it and its path. */
export type Entry = { id: string; method: string; path: string; operation: Operation; parameters: Parameter[] };

const METHODS = ["get", "put", "post", "delete"] as const;

/** A file of the package that holds the contract. */
export const contractFile = (specifier: string): string =>
  readFileSync(fileURLToPath(import.meta.resolve(specifier)), "utf8");

export const document = JSON.parse(contractFile("@feather/openapi/openapi.json")) as Document;

export const entries: readonly Entry[] = Object.entries(document.paths).flatMap(([path, item]) =>
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

/** What a method takes after its path parameters: `b`ody, `f`orm, `q`uery, or nothing. */
export function inputOf({ operation, parameters }: Entry): "b" | "f" | "q" | "" {
  const content = operation.requestBody?.content;
  if (content) return "application/json" in content ? "b" : "f";
  return parameters.some((parameter) => parameter.in === "query") ? "q" : "";
}

/** Whether the input may be left out. */
export function isInputOptional(entry: Entry): boolean {
  if (inputOf(entry) !== "q") return entry.operation.requestBody?.required !== true;
  return !entry.parameters.some((parameter) => parameter.in === "query" && parameter.required === true);
}

export const pathParameters = ({ path }: Entry): string[] =>
  [...path.matchAll(/{(\w+)}/g)].map(([, name = ""]) => name);

/** The answer of a call that went well: its status, and its content by type. */
export function successOf({ operation }: Entry): { status: number; content: Record<string, Media> } {
  const [status = "200", answer] = Object.entries(operation.responses).find(([code]) => code.startsWith("2")) ?? [];
  return { status: Number(status), content: answer?.content ?? {} };
}

/** Whether a call answers pages of items. */
export function isPaged(entry: Entry): boolean {
  const properties = successOf(entry).content["application/json"]?.schema?.properties;
  return properties !== undefined && "items" in properties && "pagination" in properties;
}

/** How a call streams: when its body says so, when the caller asks, always, or never. */
export function streamingOf(entry: Entry): "body" | "asked" | "always" | "never" {
  const { content } = successOf(entry);
  if (!("text/event-stream" in content)) return "never";
  if (inputOf(entry) === "b") return "body";
  return entry.id.endsWith(".stream") ? "always" : "asked";
}
