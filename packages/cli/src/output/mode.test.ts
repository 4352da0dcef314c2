import { describe, expect, test } from "vitest";
import { readEnvironment } from "../config/environment.ts";
import { type Mode, type ModeFlags, resolveMode } from "./mode.ts";

const none: ModeFlags = {
  json: undefined,
  loadJqFilter: undefined,
  template: undefined,
  quiet: false,
  csv: false,
  format: undefined,
};

describe("the output mode", () => {
  test.each<[string, Partial<ModeFlags>, Record<string, string>, boolean, Mode]>([
    ["a terminal gets tables", {}, {}, true, "human"],
    ["a pipe gets lines with tabs", {}, {}, false, "plain"],
    ["CI at a pipe gets lines with tabs", {}, { CI: "true" }, false, "plain"],
    ["a dumb terminal gets tables", {}, { TERM: "dumb" }, true, "human"],
    ["a coding agent gets its own, at a pipe", {}, { AI_AGENT: "1" }, false, "agent"],
    ["a coding agent gets its own, at a terminal", {}, { CURSOR_AGENT: "1" }, true, "agent"],
    ["an agent's variable that is 0 says nothing", {}, { CLAUDECODE: "0" }, false, "plain"],
    ["--json", { json: true }, {}, true, "json"],
    ["--json with fields", { json: "id" }, {}, false, "json"],
    ["--json goes before an agent", { json: true }, { OPENCODE: "1" }, false, "json"],
    ["--jq is JSON", { loadJqFilter: "." }, {}, true, "json"],
    ["--json and --jq go together", { json: "id", loadJqFilter: "." }, {}, true, "json"],
    ["--json and --format json say the same", { json: true, format: "json" }, {}, true, "json"],
    ["--quiet", { quiet: true }, {}, true, "quiet"],
    ["--csv", { csv: true }, {}, true, "csv"],
    ["--format human in a pipe", { format: "human" }, {}, false, "human"],
    ["--format agent", { format: "agent" }, {}, true, "agent"],
    ["--format human goes before an agent's variable", { format: "human" }, { AGENT: "x" }, false, "human"],
  ])("%s", (_, flags, variables, isTTY, mode) => {
    expect(resolveMode({ ...none, ...flags }, readEnvironment(variables, "linux"), isTTY)).toBe(mode);
  });

  test.each<[Partial<ModeFlags>, string]>([
    [{ json: true, quiet: true }, "--json and --quiet exclude each other"],
    [{ loadJqFilter: ".", csv: true }, "--jq and --csv exclude each other"],
    [{ quiet: true, csv: true }, "--quiet and --csv exclude each other"],
    [{ json: true, format: "human" }, "--json and --format exclude each other"],
    [{ csv: true, format: "agent" }, "--csv and --format exclude each other"],
  ])("%o is refused", (flags, words) => {
    expect(() => resolveMode({ ...none, ...flags }, { agent: false }, true)).toThrow(words);
  });
});
