import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completeInput } from "./complete-input.ts";
import { editText } from "./edit-text.ts";
import { listPaths } from "./list-paths.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "feather-complete-"));
  for (const name of ["notes.md", "notes.txt", ".hidden", "bad\u001bname"]) writeFileSync(join(folder, name), "");
  mkdirSync(join(folder, "src"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("completeInput", () => {
  const paths = async (start: string) => ["a b.txt", "a c.txt"].filter((path) => path.startsWith(start));

  test.each([
    ["a command that is the only one", "/mo", { text: "/model ", candidates: [] }],
    ["what several commands have in common", "/s", { text: "/s", candidates: ["save", "system"] }],
    ["a file name with a space", "/file a", { text: "/file a ", candidates: ["a b.txt", "a c.txt"] }],
    ["the only file name", "/IMAGE a b", { text: "/IMAGE a b.txt", candidates: [] }],
  ])("completeInput completes %s", async (_, text, expected) => {
    expect(await completeInput(text, paths)).toEqual(expected);
  });

  test.each(["why", "", "/nothing", "/system a", "/file nothing", "/etc/ho"])(
    "completeInput leaves %j as it is",
    async (text) => {
      expect(await completeInput(text, paths)).toBeNull();
    },
  );
});

describe("listPaths", () => {
  test("listPaths lists files and folders, hidden ones only by name, and none with control characters", async () => {
    expect(await listPaths(`${folder}/`)).toEqual(["notes.md", "notes.txt", "src/"].map((name) => `${folder}/${name}`));
    expect(await listPaths(`${folder}/.`)).toEqual([`${folder}/.hidden`]);
  });

  test("listPaths lists nothing of a folder that is not there", async () => {
    expect(await listPaths(`${folder}/none/`)).toEqual([]);
  });
});

describe("editText", () => {
  test("editText returns what the editor saved, whose command may have flags, without the last line break", async () => {
    expect(await editText("why", `sh -c 'printf "?\\n" >> "$1"' editor`)).toBe("why?");
  });

  test("editText throws when the editor fails or is not there", async () => {
    await expect(editText("why", "false")).rejects.toThrow("false ended with 1");
    await expect(editText("why", "no-such-editor")).rejects.toThrow("no-such-editor ended with 127");
  });
});
