import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const updated_at = "2026-11-19T14:01:02.000Z";
const fast = { name: "fast", models: ["a/b", "c/d"], unknown_models: [], is_hidden: false, updated_at };
const broken = { ...fast, name: "company/default", models: ["acme/deleted"], unknown_models: ["acme/deleted"] };
const half = { ...fast, name: "half", unknown_models: ["c/d"] };
const hidden = { ...fast, name: "e/f", is_hidden: true };
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /admin/routing/aliases": () => ({ body: { items: [broken, hidden, fast, half] } }),
  "PUT /admin/routing/aliases/fast": () => ({ body: fast }),
  "PUT /admin/routing/aliases/company%2Fdefault": () => ({ body: broken }),
  "PUT /admin/routing/aliases/a%2Fb": () => errorResponse(409, "routing.name_of_model", "a/b is the id of a model."),
  "GET /admin/routing": () => ({ body: { order: "balanced", own_key_fee_percent: 2.5, refuse_below_cost: false } }),
  "PUT /admin/routing": ({ body }) => ({ body }),
  "DELETE /admin/routing/aliases/fast": () => ({ status: 204 }),
  "DELETE /admin/routing/aliases/none": () => errorResponse(404, "routing.alias_not_found", "There is no such alias."),
});

test("lists aliases with what they stand for, and what is wrong with them", async () => {
  const { out } = await runInteractive("admin routes list");
  expect(out).toMatch(/fast +a\/b, c\/d *\n/);
  expect(out).toMatch(/company\/default +acme\/deleted +no model of it exists/);
  expect(out).toMatch(/half +a\/b, c\/d +c\/d does not exist/);
  expect(out).toMatch(/e\/f +a\/b, c\/d +a model has this name/);
  expect((await run("admin routes list")).out).toContain("fast\ta/b,c/d\t\n");
});

test("admin routes set sends the models in their order", async () => {
  const { out, err } = await run("admin routes set fast a/b c/d");
  expect([out, err]).toEqual(["fast\n", "fast stands for a/b, c/d.\n"]);
  expect(requests()[0]?.body).toEqual({ models: ["a/b", "c/d"] });
});

test("admin routes set says which models do not exist", async () => {
  expect((await run("admin routes set company/default acme/deleted")).err).toContain("does not exist: acme/deleted");
});

test("admin routes remove asks, and removes the alias", async () => {
  expect((await run("admin routes remove fast")).code).toBe(2);
  expect(requests()).toEqual([]);
  expect(await run("admin routes remove fast --yes")).toMatchObject({ code: 0, err: "Removed fast.\n" });
});

test("admin routes own-key-fee shows the fee of own keys, and sets it without changing the order", async () => {
  expect((await run("admin routes own-key-fee")).out).toBe("2.5\n");
  const { out, err } = await run("admin routes own-key-fee 12.34");
  expect([out, err]).toEqual(["12.34\n", "Calls with organizations' own keys cost 12.34 % of the model's price.\n"]);
  expect(requests().at(-1)?.body).toEqual({ order: "balanced", own_key_fee_percent: 12.34 });
});

test.each(["101", "-1", "5%", "1.234"])("admin routes own-key-fee refuses %s", async (percent) => {
  expect((await run(`admin routes own-key-fee -- ${percent}`)).code).toBe(2);
});

test("admin routes order shows the order of backends, and sets it", async () => {
  const { out, err } = await run("admin routes order");
  expect([out, err]).toEqual(["balanced\n", "First is tried the backend with the least to do until it answers.\n"]);
  expect((await run("admin routes order own_first --json")).out).toBe('{"order":"own_first"}\n');
  expect(requests().at(-1)).toMatchObject({ method: "PUT", body: { order: "own_first" } });
});

test.each([
  ["admin routes order beauty", 2],
  ["admin routes set a/b c/d", 6],
  ["admin routes remove none --yes", 3],
  ["admin routes set fast", 2],
])("%s exits with %i", async (line, exitCode) => {
  expect((await run(line)).code).toBe(exitCode);
});

test("admin routes list needs a sign-in", async () => {
  expect((await runAnonymous("admin routes list")).code).toBe(4);
});

test("admin routes below-cost shows whether calls below cost are refused, and sets it without changing the order", async () => {
  expect((await run("admin routes below-cost")).out).toBe("allow\n");
  expect((await run("admin routes below-cost refuse")).code).toBe(0);
  expect(requests().at(-1)?.body).toEqual({ order: "balanced", refuse_below_cost: true });
  expect((await run("admin routes below-cost never")).code).toBe(2);
});
