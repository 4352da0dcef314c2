import { compileMarkdown } from "../content/compile/markdown.ts";
import type { Components, ContractInfo, Operation, PlacedOperation, TagDetail, TagEntry } from "./types.ts";

export type Contract = {
  info: { title: string; version: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  components: Components;
};

const METHODS = ["get", "post", "put", "patch", "delete"];

/** The address of a tag: `API keys` is `api-keys`. */
const tagSlug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** The contract by tag, each with the parts that its operations name, so that a page loads only what it shows. */
export function splitContract({ info, tags, paths, components }: Contract): {
  info: ContractInfo;
  tags: (TagEntry & { detail: TagDetail })[];
} {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): PlacedOperation[] =>
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
        slug: tagSlug(name),
        description: about,
        operations: own.map(({ method, path, operation }) => ({
          id: operation.operationId,
          method,
          path,
          summary: operation.summary,
        })),
        detail: { operations: own, components: named(own, components) },
      };
    }),
  };
}

/** The components that a value names, and those that these name. */
function named(value: unknown, all: Components): Components {
  const found: Record<string, Record<string, unknown>> = {};
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { $ref } = part as { $ref?: unknown };
    const [, group = "", name = ""] = typeof $ref === "string" ? (/^#\/components\/(\w+)\/(.+)$/.exec($ref) ?? []) : [];
    const target = all[group]?.[name];
    if (target !== undefined && found[group]?.[name] === undefined) {
      found[group] = { ...found[group], [name]: target };
      visit(target);
    }
    Object.values(part).forEach(visit);
  };
  visit(value);
  return found;
}
