import { expect, test } from "vitest";
import { ROUTES } from "./generated/routes.ts";
import { createMethods, type Route } from "./table.ts";

test("the encoded table matches the contract for every operation", () => {
  const tree = createMethods((route) => () => route);
  const read = (id: string): Route => {
    const method = id.split(".").reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], tree);
    return (method as () => Route)();
  };
  const decoded = Object.keys(ROUTES).map((id) => [id, read(id)] as const);
  const expected = Object.entries(ROUTES).map(([id, route]) => {
    const [method = "", path = "", input = ""] = route.split(" ");
    return [id, { method, path: path.replaceAll(/{\w+}/g, "*"), input }] as const;
  });
  expect(Object.fromEntries(decoded)).toEqual(Object.fromEntries(expected));
});
