import { describe, expect, test } from "vitest";
import {
  EMPTY_LOG,
  filterLines,
  type LogAction,
  type LogState,
  logReducer,
  MAX_LINES,
  newestTime,
  parseLogLine,
  type RawLogLine,
  stripControlCharacters,
  toLogText,
} from "./log-lines.ts";

const E = "\u001b";
const line = (second: number, text: string, replica = "0"): RawLogLine => ({
  logged_at: `2026-11-19T14:00:${String(second).padStart(2, "0")}Z`,
  replica,
  text,
});
const receive = (lines: RawLogLine[], since: string | null = null): LogAction => ({ type: "receive", lines, since });
const texts = ({ lines }: LogState) => lines.map(({ text }) => text);
const after = (...actions: LogAction[]) => actions.reduce(logReducer, EMPTY_LOG);

test.each([
  [`${E}[31mred${E}[0m words`, "red words"],
  [`${E}]0;a title\u0007shown`, "shown"],
  [`${E}]8;;https://evil.example${E}\\a link${E}]8;;${E}\\`, "a link"],
  [`${E}[2J${E}[1;1Hclean screen`, "clean screen"],
  ["\u009b31mC1", "C1"],
  [`${E}Pdevice${E}\\rest`, "rest"],
  [`${E}]0;never ends`, ""],
  ["10 %\r50 %\r100 %", "100 %"],
  ["line\r", "line"],
  ["a\tb", "a  b"],
  ["nul\u0000 bell\u0007 back\b", "nul� bell� back�"],
  ["user\u202egpj.exe", "user�gpj.exe"],
  ["zero\u200bwidth \u2066hidden\u2069", "zero�width �hidden�"],
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ["größer 😀 日本", "größer 😀 日本"],
])("cleans the line %j to %j", (sent, shown) => {
  expect(stripControlCharacters(sent)).toBe(shown);
});

test.each(["", "{", "null", "[]", '{"text":"x"}', '{"logged_at":"x","text":1}'])(
  "ignores the invalid line %j",
  (data) => {
    expect(parseLogLine(data)).toBeNull();
  },
);

describe("the log", () => {
  test("the log grows by lines with unique keys", () => {
    const log = after(receive([line(1, "a"), line(2, "b")]), receive([line(2, "b")]));
    expect(texts(log)).toEqual(["a", "b", "b"]);
    expect(new Set(log.lines.map(({ key }) => key)).size).toBe(3);
    expect(newestTime(log)).toBe(line(2, "").logged_at);
  });

  test("the log keeps only the newest lines", () => {
    const log = after(receive(Array.from({ length: MAX_LINES + 5 }, (_, index) => line(1, String(index)))));
    expect(log.lines).toHaveLength(MAX_LINES);
    expect(texts(log).at(-1)).toBe(String(MAX_LINES + 4));
  });

  test("the log holds back lines while it is paused and appends them afterwards", () => {
    const paused = after(receive([line(1, "a")]), { type: "pause" }, receive([line(2, "b")]));
    expect([texts(paused), paused.pendingLines.length]).toEqual([["a"], 1]);
    expect(newestTime(paused)).toBe(line(2, "").logged_at);
    expect(texts(logReducer(paused, { type: "resume" }))).toEqual(["a", "b"]);
  });

  test("the log receives missed lines after a reconnect without duplicates", () => {
    const log = after(receive([line(1, "a"), line(2, "b")]));
    const again = receive([line(1, "a"), line(2, "b"), line(2, "same second"), line(3, "c")], newestTime(log));
    expect(texts(logReducer(log, again))).toEqual(["a", "b", "same second", "c"]);
    expect(logReducer(log, receive([line(2, "b")], newestTime(log)))).toBe(log);
  });

  test("the log is filtered by search terms and replica", () => {
    const { lines } = after(receive([line(1, "ready now"), line(2, "Now NOT", "1"), line(3, "other")]));
    const found = (words: string, replica = "") => filterLines(lines, words, replica).map(({ text }) => text);
    expect(found("now")).toEqual(["ready now", "Now NOT"]);
    expect(found("now not")).toEqual(["Now NOT"]);
    expect(found("", "1")).toEqual(["Now NOT"]);
    expect(found(".*")).toEqual([]);
    expect(filterLines(lines, " ", "")).toBe(lines);
    expect(toLogText(filterLines(lines, "ready", ""))).toBe("2026-11-19T14:00:01Z 0 ready now\n");
  });
});
