import { compileMarkdown } from "@feather/markdown/compile";
import type { Components, ContractInfo, Operation, OperationWithPath, TagDetail, TagEntry } from "./types.ts";

/** The parts of the OpenAPI document that the reference shows. */
export type Contract = {
  info: { title: string; version: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  components: Components;
};

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Returns the slug of a tag: `api-keys` for `API keys`. */
const toTagSlug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/**
 * Splits the contract by tag, each with the components that its operations reference, so that a page loads only its own
 * part.
 */
export function splitContract({ info, tags, paths, components }: Contract): {
  info: ContractInfo;
  tags: (TagEntry & { detail: TagDetail })[];
} {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): OperationWithPath[] =>
      item[method] ? [{ method: method.toUpperCase(), path, operation: item[method] as Operation }] : [],
    ),
  );
  const { title, version, description } = info;
  return {
    info: { title, version, body: compileMarkdown(description).body },
    tags: tags.map(({ name, description: about }) => {
      const own = operations.filter(({ operation }) => operation.tags[0] === name);
      return {
        name,
        slug: toTagSlug(name),
        description: about,
        operations: own.map(({ method, path, operation }) => ({
          id: operation.operationId,
          method,
          path,
          summary: operation.summary,
        })),
        detail: { operations: own, components: collectComponents(own, components) },
      };
    }),
  };
}

/** Returns the components that a value references, directly or through others. */
function collectComponents(value: unknown, all: Components): Components {
  const collected: Record<string, Record<string, unknown>> = {};
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { $ref } = part as { $ref?: unknown };
    const [, group = "", name = ""] = typeof $ref === "string" ? (/^#\/components\/(\w+)\/(.+)$/.exec($ref) ?? []) : [];
    const target = all[group]?.[name];
    if (target !== undefined && collected[group]?.[name] === undefined) {
      collected[group] = { ...collected[group], [name]: target };
      visit(target);
    }
    Object.values(part).forEach(visit);
  };
  visit(value);
  return collected;
}
