import { type Entry, inputOf, isInputOptional, isPaged, pathParameters, streamingOf } from "./contract.ts";

type Tree = { [name: string]: Tree | Entry };

/** Renders `resources.ts`: an interface with a documented method for every operation. */
export function resourcesFile(entries: readonly Entry[]): string {
  return `/** A method for every operation of the contract. Generated; do not edit. */
import type { ApiPromise, PagedPromise } from "../api-promise.ts";
import type { Body, Query, RequestOptions, Result, Streamed, Streaming, StreamOf, Whole } from "../types.ts";

export interface Resources {
${write(treeOf(entries), "  ")}
}
`;
}

function treeOf(entries: readonly Entry[]): Tree {
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

function write(tree: Tree, indent: string): string {
  return Object.entries(tree)
    .map(([name, node]) => {
      if (!("operation" in node)) return `${indent}${name}: {\n${write(node as Tree, `${indent}  `)}\n${indent}};`;
      return signatures(node as Entry)
        .flatMap((signature) => [doc(node as Entry), signature])
        .map((line) => indent + line)
        .join("\n");
    })
    .join("\n");
}

function doc({ operation, method, path }: Entry): string {
  return `/** ${operation.summary}. ${operation.description.replaceAll("*/", "* /").trim().replaceAll("\n", " ")} \`${method} ${path}\` */`;
}

/** Returns one signature, or two for calls that return either the complete response or a stream. */
function signatures(entry: Entry): string[] {
  const id = JSON.stringify(entry.id);
  const whole = isPaged(entry) ? `PagedPromise<Result<${id}>>` : `ApiPromise<Result<${id}>>`;
  const streamed = `ApiPromise<StreamOf<${id}>>`;
  const body = `Body<${id}>`;
  switch (streamingOf(entry)) {
    case "body":
      return [method(entry, `Streaming<${body}>`, streamed), method(entry, `Whole<${body}>`, whole)];
    case "asked":
      return [method(entry, null, streamed, "options: Streamed"), method(entry, null, whole)];
    case "always":
      return [method(entry, null, streamed)];
    default:
      return [method(entry, null, whole)];
  }
}

function method(entry: Entry, input: string | null, result: string, options = "options?: RequestOptions"): string {
  const id = JSON.stringify(entry.id);
  const [kind, name] = inputOf(entry) === "q" ? ["query", "Query"] : ["body", "Body"];
  const required = options.startsWith("options:") ? " | undefined" : "";
  const argument = `${kind}${isInputOptional(entry) && required === "" ? "?" : ""}: ${input ?? `${name}<${id}>`}${required}`;
  const parameters = [
    ...pathParameters(entry).map((parameter) => `${parameter}: string`),
    ...(inputOf(entry) === "" ? [] : [argument]),
    options,
  ];
  return `${entry.id.split(".").at(-1)}(${parameters.join(", ")}): ${result};`;
}
