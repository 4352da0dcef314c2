import { stripVTControlCharacters } from "node:util";
import { formatParameters } from "@feather/sdk/format";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { readEnvironment } from "../config/environment.ts";
import { drawBar } from "./bar.ts";
import { formatCsv } from "./csv.ts";
import { paintJson } from "./json.ts";
import { sanitize, sanitizeJson, sanitizeLine } from "./sanitize.ts";
import { createStyle, drawBarbs, wantsColor } from "./style.ts";
import { type Column, formatPlainRows, formatTable } from "./table.ts";
import { formatAgo, formatDuration } from "./time.ts";
import { wrapWords } from "./wrap.ts";

const plain = createStyle(false, true);

describe("unsafe text", () => {
  test.each([
    ["a colour", "\u001b[31mred", "\\x1b[31mred"],
    ["a window title", "\u001b]0;evil\u0007", "\\x1b]0;evil\\x07"],
    ["an eight-bit sequence", "\u009b31m", "\\x9b31m"],
    ["a turned direction", "abc\u202exe", "abc\\u202exe"],
    ["a carriage return", "safe\rover", "safeover"],
  ])("unsafe text is escaped: %s", (_, text, expected) => {
    expect(sanitize(text)).toBe(expected);
  });

  test("line breaks and tabs stay in text, and become spaces in a line", () => {
    expect(sanitize("a\n\tb")).toBe("a\n\tb");
    expect(sanitizeLine("a\n\tb")).toBe("a b");
  });

  test("JSON with unsafe text is escaped without changing its meaning", () => {
    const json = JSON.stringify({ text: "\u009b2J\u001b" });
    expect(sanitizeJson(json)).not.toContain("\u009b");
    expect(JSON.parse(sanitizeJson(json))).toEqual({ text: "\u009b2J\u001b" });
  });
});

describe("colour", () => {
  test.each<[string, boolean, Record<string, string>, boolean, boolean]>([
    ["a terminal has it", true, {}, true, true],
    ["a pipe has none", true, {}, false, false],
    ["--no-color turns it off", false, { FORCE_COLOR: "1" }, true, false],
    ["NO_COLOR turns it off", true, { NO_COLOR: "1" }, true, false],
    ["NO_COLOR goes before FORCE_COLOR", true, { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
    ["an empty NO_COLOR says nothing", true, { NO_COLOR: "" }, true, true],
    ["FORCE_COLOR turns it on in a pipe", true, { FORCE_COLOR: "1" }, false, true],
    ["FORCE_COLOR=0 turns it off", true, { FORCE_COLOR: "0" }, true, false],
    ["CLICOLOR=0 turns it off", true, { CLICOLOR: "0" }, true, false],
    ["CLICOLOR=1 leaves it to the place", true, { CLICOLOR: "1" }, false, false],
    ["CLICOLOR_FORCE turns it on in a pipe", true, { CLICOLOR_FORCE: "1" }, false, true],
    ["CLICOLOR_FORCE=0 leaves it to the place", true, { CLICOLOR_FORCE: "0" }, true, true],
    ["a dumb terminal has none", true, { TERM: "dumb" }, true, false],
    ["FORCE_COLOR goes before a dumb terminal", true, { TERM: "dumb", FORCE_COLOR: "1" }, true, true],
  ])("%s", (_, flag, variables, tty, expected) => {
    expect(wantsColor(flag, readEnvironment(variables, "linux"), tty)).toBe(expected);
  });
});

test("barbs are ASCII without Unicode", () => {
  expect(drawBarbs(2, 4, true)).toBe("▰▰▱▱");
  expect(drawBarbs(2, 4, readEnvironment({ LANG: "C" }, "linux").unicode)).toBe("##--");
  expect(readEnvironment({ LANG: "C.UTF-8", TERM: "dumb" }, "linux").unicode).toBe(false);
});

describe("tables", () => {
  type Row = { id: string; size: number };
  const columns: Column<Row>[] = [
    { header: "MODEL", cell: (row) => row.id },
    {
      header: "SIZE",
      cell: (row) => formatParameters(row.size),
      plain: (row) => String(row.size),
      align: "right",
      dropOrder: 1,
    },
    { header: "STATE", cell: () => "warm" },
  ];
  const rows = [
    { id: "Qwen/Qwen3-32B", size: 33e9 },
    { id: "鳥/羽", size: 1.5e9 },
  ];

  test("tables are aligned, also with wide characters", () => {
    expect(formatTable(columns, rows, plain, 80, stringWidth)).toEqual([
      "MODEL           SIZE  STATE",
      "Qwen/Qwen3-32B   33B  warm",
      "鳥/羽           1.5B  warm",
    ]);
  });

  test("tables drop columns, then cut the first one, to fit a narrow terminal", () => {
    expect(formatTable(columns, rows, plain, 21, stringWidth)[1]).toBe("Qwen/Qwen3-32B  warm");
    expect(formatTable(columns, rows, plain, 18, stringWidth)[1]).toBe("…/Qwen3-32B  warm");
    const wide: Column<Row>[] = [...columns.slice(0, 1), { header: "ID", cell: (row) => `dep_${row.size}` }];
    expect(formatTable(wide, rows, plain, 18, stringWidth)[1]).toBe("…en3-32B  …0000000");
  });

  test("tables cut long texts before short ones, to fit a narrow terminal", () => {
    const audit: Column<Row>[] = [
      { header: "WHEN", cell: () => "1 minute ago" },
      { header: "ACTION", cell: () => "users.set_referral_reward" },
      { header: "BY", cell: () => "usr_UiExVtPt4O3yvpslx1dFb9" },
    ];
    expect(formatTable(audit, rows, plain, 60, stringWidth)[1]).toBe(
      "1 minute ago  …t_referral_reward  usr_UiExVtPt4O3yvpslx1dFb9",
    );
  });

  test("tables are tab-separated with exact values for pipes", () => {
    expect(formatPlainRows(columns, rows)).toEqual(["Qwen/Qwen3-32B\t33000000000\twarm", "鳥/羽\t1500000000\twarm"]);
  });
});

test("times are short for people", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  expect(formatAgo(new Date("2026-11-21T10:00:00Z"), now)).toBe("2 hours ago");
  expect(formatAgo(new Date("2026-10-22T12:00:01Z"), now)).toBe("29 days ago");
  expect(formatAgo(new Date("2026-10-22T12:00:00Z"), now)).toBe("22 Oct 2026");
  expect(formatAgo(new Date("2026-12-21T10:00:00Z"), now)).toBe("21 Dec 2026");
});

test.each([
  [45_000, "45 s"],
  [215_000, "3 min 35 s"],
  [7_500_000, "2 h 5 min"],
])("the exact duration of %d ms is %s", (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

test("bars are proportional to their values, and ASCII without Unicode", () => {
  expect(drawBar(8402, 8402, 20, true)).toBe("█".repeat(20));
  expect(drawBar(5204, 8402, 20, true)).toBe(`${"█".repeat(12)}▍`);
  expect(drawBar(1, 8402, 20, true)).toBe("▏");
  expect(drawBar(0, 8402, 20, true)).toBe("");
  expect(drawBar(4201, 8402, 20, false)).toBe("#".repeat(10));
});

test("CSV is quoted where needed, with formulas escaped", () => {
  const columns: Column<{ name: string; cost: number }>[] = [
    { header: "NAME", cell: ({ name }) => name },
    { header: "COST USD", cell: ({ cost }) => String(cost) },
  ];
  const rows = [
    { name: 'a "b", c', cost: -1.5 },
    { name: "=HYPERLINK(1)", cost: 2 },
  ];
  expect(formatCsv(columns, rows)).toBe('name,cost_usd\r\n"a ""b"", c",-1.5\r\n\'=HYPERLINK(1),2');
});

test("wrapped lines do not start with a space", () => {
  expect(wrapWords("one two three", 8, stringWidth)).toBe("one two\nthree");
  expect(wrapWords("  indented code", 80, stringWidth)).toBe("  indented code");
});

test("JSON is coloured by names, texts and other words, and stays the same JSON", () => {
  const tagged = {
    ...createStyle(true, true),
    accent: (text: string) => `<n>${text}</n>`,
    green: (text: string) => `<t>${text}</t>`,
    dim: (text: string) => `<d>${text}</d>`,
  };
  const json = JSON.stringify({ a: 'say "true": null', b: [1, null, true] });
  expect(paintJson(json, tagged)).toBe(
    '{<n>"a"</n>:<t>"say \\"true\\": null"</t>,<n>"b"</n>:[1,<d>null</d>,<d>true</d>]}',
  );
  expect(stripVTControlCharacters(paintJson(json, createStyle(true, true)))).toBe(json);
  expect(paintJson(json, createStyle(false, true))).toBe(json);
});
