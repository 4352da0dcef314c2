/** Parameters of a request: texts, lists and nested parameters by name. */
export type Params = { [name: string]: string | Params };

/** Parses a form or a query as Stripe's API reads them: `metadata[a]=b&expand[0]=c`. */
export function parseForm(text: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll("]", "").split("[");
    const last = path.pop() ?? "";
    const parent = path.reduce<Params>((outer, part) => {
      const inner = outer[part];
      if (typeof inner === "object") return inner;
      const created: Params = {};
      outer[part] = created;
      return created;
    }, params);
    parent[last] = value;
  }
  return params;
}

/** Returns a text parameter; undefined when it is missing or not a text. */
export function textOf(params: Params, name: string): string | undefined {
  const value = params[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns nested parameters; empty when they are missing. */
export function nestedOf(params: Params, name: string): Params {
  const value = params[name];
  return typeof value === "object" ? value : {};
}
