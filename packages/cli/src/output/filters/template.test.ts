import { buildPage } from "@feather/testing/builders";
import { expect, test } from "vitest";
import { apiKey } from "../../testing/fixtures.ts";
import { setupCli } from "../../testing/setup-cli.ts";
import { createTemplateFilter } from "./template.ts";

const { run, requests } = setupCli({
  "GET /api-keys": () => ({
    body: buildPage([
      { ...apiKey, id: "key_1", name: "a & b" },
      { ...apiKey, id: "key_2", name: "two" },
    ]),
  }),
  "GET /api-keys/key_1": () => ({ body: apiKey }),
});

test.each<[string, string, unknown, string]>([
  [
    "each item of a list gets a line",
    "{{id}}={{n}}",
    {
      items: [
        { id: "a", n: 1 },
        { id: "b", n: 2 },
      ],
    },
    "a=1\nb=2",
  ],
  ["a list that fields were chosen of, too", "{{id}}", [{ id: "a" }, { id: "b" }], "a\nb"],
  ["one object gets one text", "{{a.b}} {{^gone}}none{{/gone}}", { a: { b: "c" } }, "c none"],
  ["backslashes stand for line breaks and tabs", "{{a}}\\t{{b}}\\n\\\\n", { a: 1, b: 2 }, "1\t2\n\\n"],
  ["values are not escaped", "{{a}}", { a: `<b> & "c"` }, `<b> & "c"`],
  ["lists and objects are JSON", "{{a}} {{b}}", { a: { c: 1 }, b: { d: [2] } }, '{"c":1} {"d":[2]}'],
  ["each entry of a list within can be named", "{{#a}}{{.}};{{/a}}", { a: ["x", "y"] }, "x;y;"],
  ["no items are an empty text", "{{id}}", { items: [] }, ""],
])("%s", (_, template, value, text) => {
  expect(createTemplateFilter(template)(value)).toBe(text);
});

test("a list is printed by --template, and one object too", async () => {
  expect((await run(["keys", "list", "--template", "{{name}}: {{id}}"])).out).toBe("a & b: key_1\ntwo: key_2\n");
  expect((await run(["keys", "list", "--json", "id", "--template", "<{{id}}{{name}}>"])).out).toBe(
    "<key_1>\n<key_2>\n",
  );
  expect((await run(["keys", "show", "key_1", "--template", "{{name}}"])).out).toBe("production\n");
});

test.each<[string[], string]>([
  [["--template", "{{#a}}"], "is no template"],
  [["--template", "{{id}}", "--jq", ".id"], "--template and --jq exclude each other"],
  [["--template", "{{id}}", "--csv"], "exclude each other"],
])("keys list %j is refused before any request", async (flags, message) => {
  const { code, err } = await run(["keys", "list", ...flags]);
  expect([code, requests().length]).toEqual([2, 0]);
  expect(err).toContain(message);
});
