import { expect, test } from "vitest";
import { ROUTES } from "./generated/routes.ts";
import { createMethods } from "./routes.ts";

test("creates a method at the place of every operation, from its method, path and kind of input", () => {
  const tree = createMethods((route, id) => () => ({ id, route }));
  const entries = Object.entries(ROUTES).map(([id, text]) => {
    const method = id.split(".").reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], tree);
    const [verb, path, input = ""] = text.split(" ");
    return { created: (method as () => object)(), expected: { id, route: { method: verb, path, input } } };
  });
  expect(entries.length).toBeGreaterThan(200);
  for (const { created, expected } of entries) expect(created).toEqual(expected);
});
