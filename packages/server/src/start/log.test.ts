import { expect, test } from "vitest";
import { readSettings } from "../config/settings.ts";
import { createLog } from "./log.ts";

/** Returns what a log writes to a target, in the given environment. */
async function record(env: Record<string, string>, isTerminal: boolean) {
  const lines: string[] = [];
  const { server } = readSettings(env, "/nonexistent");
  const stream = { write: (text: string) => void lines.push(text) };
  const log = await createLog(server, { stream, isTerminal, hasColors: isTerminal });
  return { log, lines };
}
const TIME = String.raw`\[\d\d:\d\d:\d\d\]`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal
const withoutColours = (text: string) => text.replace(/\u001b\[\d+m/g, "");

test.each([
  ["at a terminal", {}, true, "text"],
  ["in a pipe", {}, false, "JSON"],
  ["at a terminal with FEATHER_LOG=json", { FEATHER_LOG: "json" }, true, "JSON"],
  ["in a pipe with FEATHER_LOG=text", { FEATHER_LOG: "text" }, false, "text"],
])("the log is %s, with the settings %j: %s %s", async (_, env, isTerminal, form) => {
  const { log, lines } = await record(env, isTerminal);
  log.warn({ host: "0.0.0.0", port: 9100 }, "Other machines can read metrics without a token.");
  expect(lines).toHaveLength(1);
  const [line = ""] = lines;
  if (form === "JSON") expect(JSON.parse(line)).toMatchObject({ level: 40, host: "0.0.0.0", port: 9100 });
  else
    expect(withoutColours(line)).toMatch(
      new RegExp(
        `^${TIME} WARN: Other machines can read metrics without a token\\. \\(host=0\\.0\\.0\\.0, port=9100\\)\\n$`,
      ),
    );
});

test("an error at a terminal is its message in one line, without a stack", async () => {
  const { log, lines } = await record({}, true);
  log.error(
    { err: new Error("no such\ntable", { cause: new Error("of the database") }), job: "renewals" },
    "a job failed",
  );
  expect(withoutColours(lines.join(""))).toMatch(
    new RegExp(`^${TIME} ERROR: a job failed: no such table: of the database \\(job=renewals\\)\\n$`),
  );
});

test("an error at a terminal has its stack at the level debug", async () => {
  const { log, lines } = await record({ FEATHER_LOG_LEVEL: "debug" }, true);
  log.error({ err: new Error("no such table") }, "a job failed");
  expect(lines.join("")).toContain("log.test.ts");
});

test("control characters of a text reach no terminal", async () => {
  const { log, lines } = await record({ FEATHER_LOG: "text" }, false);
  log.warn({ reason: "a\u001b[2Jb\u009b2Jc\r\nd" }, "the hub said\u0007");
  expect(lines.join("")).toMatch(new RegExp(`^${TIME} WARN: the hub said  \\(reason=a \\[2Jb 2Jc d\\)\\n$`));
});

test("FEATHER_LOG takes auto, text and json alone", () => {
  expect(() => readSettings({ FEATHER_LOG: "yaml" }, "/nonexistent")).toThrow("FEATHER_LOG");
});
