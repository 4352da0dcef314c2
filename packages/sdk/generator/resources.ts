import { inputKindOf, isInputOptional, isPaged, type OperationEntry, pathParameters, streamingOf } from "./contract.ts";

type Tree = { [name: string]: Tree | OperationEntry };

/** Renders `resources.ts`: an interface with a documented method for every operation. */
export function renderResourcesFile(entries: readonly OperationEntry[]): string {
  return `/** A method for every operation of the contract. Generated; do not edit. */
import type { ApiPromise, PagedPromise } from "../api-promise.ts";
import type { Body, Query, RequestOptions, Result, StreamOptions, Streaming, StreamOf, NotStreaming } from "../types.ts";

export interface Resources {
${renderTree(buildTree(entries), "  ")}
}
`;
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
        .flatMap((signature) => [renderDoc(node as OperationEntry), signature])
        .map((line) => indent + line)
        .join("\n");
    })
    .join("\n");
}

function renderDoc({ operation, method, path }: OperationEntry): string {
  return `/** ${operation.summary}. ${operation.description.replaceAll("*/", "* /").trim().replaceAll("\n", " ")} \`${method} ${path}\` */`;
}

/** Returns the signatures: for calls that return the complete response or a stream, one for each, and one for either. */
function renderSignatures(entry: OperationEntry): string[] {
  const id = JSON.stringify(entry.id);
  const whole = isPaged(entry) ? `PagedPromise<Result<${id}>>` : `ApiPromise<Result<${id}>>`;
  const streamed = `ApiPromise<StreamOf<${id}>>`;
  const body = `Body<${id}>`;
  switch (streamingOf(entry)) {
    case "body":
      return [
        method(entry, `Streaming<${body}>`, streamed),
        method(entry, `NotStreaming<${body}>`, whole),
        method(entry, body, `ApiPromise<Result<${id}> | StreamOf<${id}>>`),
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
  const id = JSON.stringify(entry.id);
  const [kind, name] = inputKindOf(entry) === "query" ? ["query", "Query"] : ["body", "Body"];
  const required = options.startsWith("options:") ? " | undefined" : "";
  const argument = `${kind}${isInputOptional(entry) && required === "" ? "?" : ""}: ${input ?? `${name}<${id}>`}${required}`;
  const parameters = [
    ...pathParameters(entry).map((parameter) => `${parameter}: string`),
    ...(inputKindOf(entry) === undefined ? [] : [argument]),
    options,
  ];
  return `${entry.id.split(".").at(-1)}(${parameters.join(", ")}): ${result};`;
}
