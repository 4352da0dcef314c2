import { expect, test } from "vitest";
import { type CsvCell, toCsv } from "./csv.ts";

test.each<[CsvCell, string]>([
  ["plain", "plain"],
  [41, "41"],
  [-5, "-5"],
  ["-5", "-5"],
  [null, ""],
  [undefined, ""],
  [new Date("2026-11-21T10:00:00Z"), "2026-11-21T10:00:00.000Z"],
  ['say "hi"', '"say ""hi"""'],
  ["a,b", '"a,b"'],
  ["a\nb", '"a\nb"'],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["@cmd", "'@cmd"],
  ["-1+1", "'-1+1"],
  ["=a,b", `"'=a,b"`],
])("writes %j as %j", (value, text) => {
  expect(toCsv(["name"], [[value]])).toBe(`name\r\n${text}\r\n`);
});

test("writes only the header without rows", () => {
  expect(toCsv(["a", "b"], [])).toBe("a,b\r\n");
});
