import { errorFrom } from "../src/errors.ts";
import {
  bodyTypeOf,
  inputKindOf,
  isInputOptional,
  isPaged,
  type OperationEntry,
  pathParameters,
  resultTypeOf,
  streamingOf,
} from "./contract.ts";

type Tree = { [name: string]: Tree | OperationEntry };

/** Renders `resources.ts`: an interface with a documented method for every operation. */
export function renderResourcesFile(entries: readonly OperationEntry[]): string {
  return `/** A method for every operation of the contract. Generated; do not edit. */
import type { ApiPromise, PagedPromise } from "../call/api-promise.ts";
import type { RequestOptions, StreamOptions } from "../request-options.ts";
import type { NotStreaming, Query, Streaming, StreamOf } from "../types.ts";
import type {
${listSchemaTypes(entries)
  .map((name) => `  ${name},`)
  .join("\n")}
} from "./schemas.ts";

export interface Resources {
${renderTree(buildTree(entries), "  ")}
}
`;
}

const BUILT_IN_TYPES = new Set(["undefined", "string", "Blob"]);

/** Returns the names of all types of bodies and results that signatures name: those of streams are not among them. */
function listSchemaTypes(entries: readonly OperationEntry[]): string[] {
  const names = entries.flatMap((entry) => [
    ...(streamingOf(entry) === "always" ? [] : resultTypeOf(entry).split(" | ")),
    bodyTypeOf(entry) ?? "undefined",
  ]);
  return [...new Set(names)].filter((name) => !BUILT_IN_TYPES.has(name)).sort();
}

function buildTree(entries: readonly OperationEntry[]): Tree {
  const root: Tree = {};
  for (const entry of entries) {
    const names = entry.id.split(".");
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

function renderTree(tree: Tree, indent: string): string {
  return Object.entries(tree)
    .map(([name, node]) => {
      if (!("operation" in node)) return `${indent}${name}: {\n${renderTree(node as Tree, `${indent}  `)}\n${indent}};`;
      return renderSignatures(node as OperationEntry)
        .flatMap((signature) => [...renderDoc(node as OperationEntry), signature])
        .map((line) => indent + line)
        .join("\n");
    })
    .join("\n");
}

/** Statuses of errors that only some calls can have. Those of wrong requests, credentials and servers any call can have. */
const SPECIFIC_STATUSES = ["402", "403", "404", "409", "422", "429"];

function renderDoc({ operation, method, path }: OperationEntry): string[] {
  const { summary, description, responses } = operation;
  const text = `${summary}. ${description.replaceAll("*/", "* /").trim().replaceAll("\n", " ")} \`${method} ${path}\``;
  const statuses = SPECIFIC_STATUSES.filter((status) => status in responses);
  if (statuses.length === 0) return [`/** ${text} */`];
  const classes = statuses.map((status) => errorFrom(Number(status), new Headers(), "").name);
  return ["/**", ` * ${text}`, ` * @throws ${classes.join(", ")}`, " */"];
}

/** Returns the signatures: for calls that return the complete response or a stream, one for each, and one for either. */
function renderSignatures(entry: OperationEntry): string[] {
  const result = resultTypeOf(entry);
  const whole = isPaged(entry) ? `PagedPromise<${result}>` : `ApiPromise<${result}>`;
  const stream = `StreamOf<${JSON.stringify(entry.id)}>`;
  const streamed = `ApiPromise<${stream}>`;
  const body = bodyTypeOf(entry) ?? "never";
  switch (streamingOf(entry)) {
    case "body":
      return [
        method(entry, `Streaming<${body}>`, streamed),
        method(entry, `NotStreaming<${body}>`, whole),
        method(entry, body, `ApiPromise<${result} | ${stream}>`),
      ];
    case "asked":
      return [method(entry, null, streamed, "options: StreamOptions"), method(entry, null, whole)];
    case "always":
      return [method(entry, null, streamed)];
    default:
      return [method(entry, null, whole)];
  }
}

function method(
  entry: OperationEntry,
  input: string | null,
  result: string,
  options = "options?: RequestOptions",
): string {
  const isQuery = inputKindOf(entry) === "query";
  const type = input ?? (isQuery ? `Query<${JSON.stringify(entry.id)}>` : bodyTypeOf(entry));
  const required = options.startsWith("options:") ? " | undefined" : "";
  const argument = `${isQuery ? "query" : "body"}${isInputOptional(entry) && required === "" ? "?" : ""}: ${type}${required}`;
  const parameters = [
    ...pathParameters(entry).map((parameter) => `${parameter}: string`),
    ...(inputKindOf(entry) === undefined ? [] : [argument]),
    options,
  ];
  return `${entry.id.split(".").at(-1)}(${parameters.join(", ")}): ${result};`;
}
