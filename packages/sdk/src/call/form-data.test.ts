import { expect, test } from "vitest";
import { toFormData } from "./form-data.ts";

const entriesOf = (fields: unknown) => [...toFormData(fields)];

test.each<[string, unknown, [string, string][]]>([
  ["nothing", undefined, []],
  ["null", null, []],
  ["fields without a value", { a: null, b: undefined }, []],
  [
    "values that count as false",
    { a: 0, b: false, c: "" },
    [
      ["a", "0"],
      ["b", "false"],
      ["c", ""],
    ],
  ],
  [
    "a list",
    { a: ["x", 1] },
    [
      ["a[]", "x"],
      ["a[]", "1"],
    ],
  ],
  ["an empty list", { a: [] }, []],
  ["an object", { a: { b: [1] } }, [["a", '{"b":[1]}']]],
])("a form of %s has what the server reads", (_what, fields, entries) => {
  expect(entriesOf(fields)).toEqual(entries);
});

test("a file keeps its name, type and bytes, and one without a name is called blob", async () => {
  const form = toFormData({
    named: new File(["one"], "one.txt", { type: "text/plain" }),
    unnamed: new Blob(["two"], { type: "image/png" }),
  });
  const [named, unnamed] = [form.get("named"), form.get("unnamed")];
  if (!(named instanceof File) || !(unnamed instanceof File)) throw new Error("These are no files.");
  expect([named.name, named.type, await named.text()]).toEqual(["one.txt", "text/plain", "one"]);
  expect([unnamed.name, unnamed.type, await unnamed.text()]).toEqual(["blob", "image/png", "two"]);
});
