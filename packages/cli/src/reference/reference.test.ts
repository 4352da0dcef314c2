import { expect, test } from "vitest";
import { allCommands } from "../commands/branch.ts";
import { TABLE } from "../commands/table.ts";
import { EXIT } from "../exit.ts";
import { flagsOf } from "../flags.ts";
import { nounPage, programPage } from "./man.ts";
import { referencePage } from "./markdown.ts";
import { chaptersOf, EXIT_CODES } from "./usage.ts";

const chapters = await chaptersOf(TABLE);
const commands = (await allCommands(TABLE)).filter(({ hidden }) => !hidden);

test("the reference and the man pages contain every command with its flags and examples", () => {
  const reference = referencePage(chapters);
  const manual = chapters.map(nounPage).join("\n");
  const unescaped = manual.replaceAll("\\-", "-").replaceAll("\\e", "\\");
  for (const command of commands) {
    for (const text of [reference, unescaped]) {
      expect(text).toContain(`feather ${command.name}`);
      for (const { name } of flagsOf(command))
        expect(text).toContain(name.replaceAll("|", text === reference ? "\\|" : "|"));
      for (const example of command.examples) expect(text).toContain(example);
    }
  }
});

test("hidden commands are in neither", () => {
  expect(referencePage(chapters)).not.toContain("feather complete ");
  expect(programPage(chapters)).not.toContain("feather\\-complete(1)");
});

test("no text line of a man page is read as a roff request", () => {
  const requests = /^\.(\\"|TH|SH|TP|PP|B|BR|RS|RE|nf|fi|br)\b|^\.\\"/;
  for (const text of [programPage(chapters), ...chapters.map(nounPage)])
    for (const line of text.split("\n")) if (/^[.']/.test(line)) expect(line).toMatch(requests);
});

test("every exit code is documented", () => {
  expect(EXIT_CODES.map(([code]) => code)).toEqual(Object.values(EXIT));
});
