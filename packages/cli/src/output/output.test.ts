import { describe, expect, test } from "vitest";
import { readEnvironment } from "../config/environment.ts";
import { parameters, tokens } from "./format.ts";
import { sanitize, sanitizeJson, sanitizeLine } from "./sanitize.ts";
import { barbs, createStyle, wantsColor } from "./style.ts";
import { type Column, plainLines, tableLines } from "./table.ts";
import { ago, span } from "./time.ts";
import { wrapWords } from "./wrap.ts";

const plain = createStyle(false, true);

describe("harmful text", () => {
  test.each([
    ["a colour", "\u001b[31mred", "\\x1b[31mred"],
    ["a window title", "\u001b]0;evil\u0007", "\\x1b]0;evil\\x07"],
    ["an eight-bit sequence", "\u009b31m", "\\x9b31m"],
    ["a turned direction", "abc\u202exe", "abc\\u202exe"],
    ["a carriage return", "safe\rover", "safeover"],
  ])("%s is written out", (_, text, shown) => {
    expect(sanitize(text)).toBe(shown);
  });

  test("line breaks and tabs stay in text, and become spaces in a line", () => {
    expect(sanitize("a\n\tb")).toBe("a\n\tb");
    expect(sanitizeLine("a\n\tb")).toBe("a b");
  });

  test("in JSON it stays readable by programs", () => {
    const json = JSON.stringify({ text: "\u009b2J\u001b" });
    expect(sanitizeJson(json)).not.toContain("\u009b");
    expect(JSON.parse(sanitizeJson(json))).toEqual({ text: "\u009b2J\u001b" });
  });
});

describe("colour", () => {
  const none = { noColor: false, forceColor: false, dumb: false };
  test.each([
    ["a terminal has it", true, none, true, true],
    ["a pipe has none", true, none, false, false],
    ["--no-color turns it off", false, { ...none, forceColor: true }, true, false],
    ["NO_COLOR turns it off", true, { ...none, noColor: true }, true, false],
    ["FORCE_COLOR turns it on in a pipe", true, { ...none, forceColor: true }, false, true],
    ["a dumb terminal has none", true, { ...none, dumb: true }, true, false],
  ])("%s", (_, flag, env, tty, wanted) => {
    expect(wantsColor(flag, env, tty)).toBe(wanted);
  });
});

test("barbs are ASCII where the terminal shows no more", () => {
  expect(barbs(2, 4, true)).toBe("▰▰▱▱");
  expect(barbs(2, 4, readEnvironment({ LANG: "C" }, "linux").unicode)).toBe("##--");
  expect(readEnvironment({ LANG: "C.UTF-8", TERM: "dumb" }, "linux").unicode).toBe(false);
});

describe("tables", () => {
  type Row = { id: string; size: number };
  const columns: Column<Row>[] = [
    { header: "MODEL", cell: (row) => row.id },
    {
      header: "SIZE",
      cell: (row) => parameters(row.size),
      plain: (row) => String(row.size),
      align: "right",
      yields: 1,
    },
    { header: "STATE", cell: () => "warm" },
  ];
  const rows = [
    { id: "Qwen/Qwen3-32B", size: 33e9 },
    { id: "鳥/羽", size: 1.5e9 },
  ];

  test("are aligned, also with wide characters", () => {
    expect(tableLines(columns, rows, plain, 80)).toEqual([
      "MODEL           SIZE  STATE",
      "Qwen/Qwen3-32B   33B  warm",
      "鳥/羽           1.5B  warm",
    ]);
  });

  test("give up columns, then cut the first, to fit a narrow terminal", () => {
    expect(tableLines(columns, rows, plain, 21)[1]).toBe("Qwen/Qwen3-32B  warm");
    expect(tableLines(columns, rows, plain, 18)[1]).toBe("…/Qwen3-32B  warm");
  });

  test("are tab-separated with exact values for pipes", () => {
    expect(plainLines(columns, rows)).toEqual(["Qwen/Qwen3-32B\t33000000000\twarm", "鳥/羽\t1500000000\twarm"]);
  });
});

test("sizes, spans and moments are short for people", () => {
  expect([1e6, 1.5e9, 32_762_123_264, 1.05e12].map(parameters)).toEqual(["1M", "1.5B", "33B", "1.1T"]);
  expect([2048, 40_960, 1_048_576].map(tokens)).toEqual(["2K", "40K", "1M"]);
  expect([40_000, 215_000].map(span)).toEqual(["40 s", "4 min"]);
  const now = new Date("2026-11-21T12:00:00Z");
  expect(ago(new Date("2026-11-21T10:00:00Z"), now)).toBe("2 hours ago");
  expect(ago(new Date("2026-12-20T10:00:00Z"), now)).toBe("20 Dec 2026");
});

test("words wrap without a space at the beginning of a line", () => {
  expect(wrapWords("one two three", 8)).toBe("one two\nthree");
  expect(wrapWords("  indented code", 80)).toBe("  indented code");
});
