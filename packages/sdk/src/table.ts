import { TABLE } from "./generated/table.ts";

/** An operation: its method, its path with `*` for parameters, and its kind of input (b: body, f: form, q: query). */
export type Route = { method: string; path: string; input: string };
type MethodFactory = (route: Route, id: string) => (...args: unknown[]) => unknown;

const METHODS: Record<string, string> = { g: "GET", u: "PUT", p: "POST", d: "DELETE" };

const toKebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Creates a method for every operation: `a.b.c` of the table becomes `root.a.b.c(...)`. `generator/table.ts` describes the encoding. */
export function createMethods(createMethod: MethodFactory): object {
  type Node = { [name: string]: Node | ReturnType<MethodFactory> };
  const root: Node = {};
  for (const group of TABLE.split(";")) {
    const [head = "", members = ""] = group.split(":");
    const [resource = "", base = toKebabCase(resource).replaceAll(".", "/")] = head.split(" ");
    let node = root;
    for (const name of resource.split(".")) {
      node[name] ??= {};
      node = node[name] as Node;
    }
    for (const member of members.split(",")) {
      const [, verb = "", letter = "", input = "", rest = ""] = /^(\w+) (.)(\w?)(.*)$/.exec(member) ?? [];
      const path = `${base && `/${base}`}${rest}${rest.endsWith("/") ? toKebabCase(verb) : ""}`;
      node[verb] = createMethod({ method: METHODS[letter] ?? "", path, input }, `${resource}.${verb}`);
    }
  }
  return root;
}
