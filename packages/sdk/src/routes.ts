import { ROUTES } from "./generated/routes.ts";

/** An operation: its method, its path with parameters in braces, and its kind of input (b: body, f: form, q: query). */
export type Route = { method: string; path: string; input: string };
type MethodFactory = (route: Route, id: string) => (...args: unknown[]) => unknown;

/** Creates a method for every operation: `a.b.c` of the contract becomes `root.a.b.c(...)`. */
export function createMethods(createMethod: MethodFactory): object {
  type Node = { [name: string]: Node | ReturnType<MethodFactory> };
  const root: Node = {};
  for (const id in ROUTES) {
    const names = id.split(".");
    const verb = names.pop() ?? "";
    let node = root;
    for (const name of names) {
      node[name] ??= {};
      node = node[name] as Node;
    }
    const [method = "", path = "", input = ""] = (ROUTES[id] ?? "").split(" ");
    node[verb] = createMethod({ method, path, input }, id);
  }
  return root;
}
