/** Derives `src/generated/` from the contract: types with real dates, the table of routes, and a documented method for every operation. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

type Parameter = { name?: string; in?: string; $ref?: string };
type Media = { schema?: { properties?: Record<string, unknown> } };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, Media> }>;
};
type PathItem = { parameters?: Parameter[] } & Record<string, Operation>;
type Document = { paths: Record<string, PathItem>; components: { parameters: Record<string, Parameter> } };

const from = (specifier: string): string => readFileSync(fileURLToPath(import.meta.resolve(specifier)), "utf8");
const to = (name: string, text: string): void =>
  writeFileSync(fileURLToPath(new URL(`./src/generated/${name}`, import.meta.url)), text);

/** Fields named `*_at` and `*_date` arrive as dates, so that is what their types say. Days in a query are sent as text. */
function withDates(schema: string): string {
  let queryIndent: string | null = null;
  const lines = schema.split("\n").map((line) => {
    const [indent = ""] = /^\s*/.exec(line) ?? [];
    if (queryIndent === null && /^\s+query\??: \{$/.test(line)) queryIndent = indent;
    else if (line === `${queryIndent}};`) queryIndent = null;
    if (queryIndent !== null) return line;
    return line.replace(/^(\s+\w+_(?:at|date)\??: )(?:string|number)( \| null)?;$/, "$1Date$2;");
  });
  return lines.join("\n");
}

const document = JSON.parse(from("@feather/openapi/openapi.json")) as Document;
const METHODS = ["get", "put", "post", "delete"] as const;

function entries() {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation, shared: item.parameters ?? [] }] : [];
    }),
  );
}

type Entry = ReturnType<typeof entries>[number];

const hasQuery = ({ operation, shared }: Entry): boolean =>
  [...shared, ...(operation.parameters ?? [])].some((parameter) => resolve(parameter).in === "query");
function resolve(parameter: Parameter): Parameter {
  const name = parameter.$ref?.split("/").at(-1);
  return name === undefined ? parameter : (document.components.parameters[name] ?? parameter);
}
/** What a method takes after its path parameters: `b`ody, `f`orm, `q`uery, or nothing. */
function inputOf(entry: Entry): "b" | "f" | "q" | "" {
  const content = entry.operation.requestBody?.content;
  if (content) return "application/json" in content ? "b" : "f";
  return hasQuery(entry) ? "q" : "";
}

function routesFile(): string {
  const lines = entries().map(
    (entry) =>
      `  ${JSON.stringify(entry.operation.operationId)}: "${`${entry.method.toUpperCase()} ${entry.path} ${inputOf(entry)}`.trim()}",`,
  );
  return `/** Method, path and kind of input (b: body, f: form, q: query) of every operation. Generated; do not edit. */\nexport const ROUTES: Record<string, string> = {\n${lines.join("\n")}\n};\n`;
}

function isPaged({ operation }: Entry): boolean {
  const properties = operation.responses["200"]?.content?.["application/json"]?.schema?.properties;
  return properties !== undefined && "items" in properties && "pagination" in properties;
}

const HAND_WRITTEN = new Set(["chat.completions.create", "completions.create"]);

function signature(entry: Entry): string {
  const id = JSON.stringify(entry.operation.operationId);
  const name = entry.operation.operationId.split(".").at(-1) ?? "";
  const path = [...entry.path.matchAll(/{(\w+)}/g)].map(([, parameter]) => `${parameter}: string`);
  const input = inputOf(entry);
  const optional = input === "q" ? !needsQuery(entry) : entry.operation.requestBody?.required !== true;
  const argument =
    input === ""
      ? []
      : [`${input === "q" ? "query" : "body"}${optional ? "?" : ""}: ${input === "q" ? "Query" : "Body"}<${id}>`];
  const parameters = [...path, ...argument, "options?: RequestOptions"].join(", ");
  const result = isPaged(entry) ? `PagedPromise<Result<${id}>>` : `ApiPromise<Result<${id}>>`;
  return `${doc(entry)}\n${name}(${parameters}): ${result};`;
}

function needsQuery({ operation }: Entry): boolean {
  return (operation.parameters ?? []).some(
    (parameter) =>
      resolve(parameter).in === "query" && (resolve(parameter) as { required?: boolean }).required === true,
  );
}

function doc({ operation, method, path }: Entry): string {
  return `/** ${operation.summary}. ${operation.description.replaceAll("*/", "* /").trim().replaceAll("\n", " ")} \`${method.toUpperCase()} ${path}\` */`;
}

type Tree = { [name: string]: Tree | Entry };

function treeOf(all: Entry[]): Tree {
  const root: Tree = {};
  for (const entry of all) {
    const names = entry.operation.operationId.split(".");
    const last = names.pop() ?? "";
    let node = root;
    for (const name of names) {
      node[name] ??= {};
      node = node[name] as Tree;
    }
    node[last] = entry;
  }
  return root;
}

function write(tree: Tree, indent: string): string {
  return Object.entries(tree)
    .map(([name, node]) => {
      if (!("operation" in node)) return `${indent}${name}: {\n${write(node as Tree, `${indent}  `)}\n${indent}};`;
      return signature(node as Entry)
        .split("\n")
        .map((line) => indent + line)
        .join("\n");
    })
    .join("\n");
}

const rest = entries().filter(({ operation }) => !HAND_WRITTEN.has(operation.operationId));
to("schema.ts", withDates(from("@feather/openapi/schema")));
to("routes.ts", routesFile());
to(
  "resources.ts",
  `/** A method for every operation of the contract. Generated; do not edit. */
import type { ApiPromise, PagedPromise } from "../api-promise.ts";
import type { Body, Query, RequestOptions, Result } from "../types.ts";

export interface Resources {
${write(treeOf(rest), "  ")}
}
`,
);
