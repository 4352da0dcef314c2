import { inputKindOf, type OperationEntry } from "./contract.ts";

const LETTERS: Record<string, string> = { GET: "g", PUT: "u", POST: "p", DELETE: "d" };

const toKebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Encodes all operations in one string, by resource: `models feather:list gq/models,get gq/models/*;…`. The resource is
 * followed by the shared start of its paths, unless that equals the resource's name; then by each verb with its method, its
 * kind of input and the rest of its path. A last path segment that equals the verb is omitted.
 */
export function encodeTable(entries: readonly OperationEntry[]): string {
  const groups = new Map<string, OperationEntry[]>();
  for (const entry of entries) {
    const resource = entry.id.slice(0, entry.id.lastIndexOf("."));
    groups.set(resource, [...(groups.get(resource) ?? []), entry]);
  }
  return [...groups].map(([resource, members]) => encodeGroup(resource, members)).join(";");
}

function encodeGroup(resource: string, members: readonly OperationEntry[]): string {
  const paths = members.map(({ path }) => path.replaceAll(/{\w+}/g, "*"));
  const base = findSharedBase(paths);
  const verbs = members.map((entry, index) => {
    const verb = entry.id.slice(resource.length + 1);
    const rest = (paths[index] ?? "").slice(base.length).replace(new RegExp(`/${toKebabCase(verb)}$`), "/");
    return `${verb} ${LETTERS[entry.method]}${inputKindOf(entry)}${rest}`;
  });
  return `${resource}${base === `/${toKebabCase(resource).replaceAll(".", "/")}` ? "" : ` ${base.slice(1)}`}:${verbs.join(",")}`;
}

/** Returns the leading segments that all paths have in common. */
function findSharedBase(paths: readonly string[]): string {
  const [first = "", ...others] = paths.map((path) => path.split("/"));
  const splitIndex = [...first].findIndex((segment, index) => others.some((path) => path[index] !== segment));
  return (splitIndex === -1 ? [...first] : [...first].slice(0, splitIndex)).join("/");
}
