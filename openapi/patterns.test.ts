import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Node = { [key: string]: unknown };

const document = JSON.parse(readFileSync(new URL("generated/openapi.json", import.meta.url), "utf8")) as {
  paths: Record<string, Record<string, Node>>;
};
const METHODS = ["get", "put", "post", "delete", "patch"];

/** The requests of the contract by operation: the parameters and the body. */
const requests = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    if (!operation) return [];
    const { parameters, requestBody } = operation;
    return [{ name: `${method.toUpperCase()} ${path}`, parts: [item.parameters, parameters, requestBody] }];
  }),
);

/** Keywords whose values are data, not schemas. */
const DATA = new Set(["example", "examples", "enum", "const", "default"]);

/** Returns where a request has a schema with a pattern and without a sentence for people. */
function findUnexplained(value: unknown, place: string, seen: ReadonlySet<string>): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => findUnexplained(one, place, seen));
  if (typeof value !== "object" || value === null) return [];
  const node = value as Node;
  if (typeof node.$ref === "string")
    return seen.has(node.$ref) ? [] : findUnexplained(resolve(node.$ref), place, new Set([...seen, node.$ref]));
  const isUnexplained = typeof node.pattern === "string" && typeof node["x-pattern-message"] !== "string";
  return [
    ...(isUnexplained ? [`${place}: ${String(node.pattern)}`] : []),
    ...Object.entries(node)
      .filter(([key]) => !DATA.has(key))
      .flatMap(([key, inner]) => findUnexplained(inner, `${place} ${key}`, seen)),
  ];
}

function resolve(ref: string): unknown {
  return ref
    .replace("#/", "")
    .split("/")
    .reduce<unknown>((at, key) => (at as Node)[key], document);
}

test("each pattern of a request says in words what it asks for", () => {
  const patterns = JSON.stringify(document.paths).match(/"pattern"/g) ?? [];
  expect(patterns.length).toBeGreaterThan(0);
  expect(requests.flatMap(({ name, parts }) => findUnexplained(parts, name, new Set()))).toEqual([]);
});
