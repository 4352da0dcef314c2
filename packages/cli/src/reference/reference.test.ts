import { expect, test } from "vitest";
import { loadAllCommands } from "../commands/command-group.ts";
import { COMMANDS } from "../commands/registry.ts";
import { EXIT } from "../exit/exit-report.ts";
import { flagsOf } from "../flags.ts";
import { renderCommandPage, renderProgramPage } from "./man.ts";
import { renderReferencePage } from "./markdown.ts";
import { EXIT_CODES, loadChapters } from "./usage.ts";

const chapters = await loadChapters(COMMANDS);
const commands = (await loadAllCommands(COMMANDS)).filter(({ hidden }) => !hidden);

test("the reference and the man pages contain every command with its flags and examples", () => {
  const reference = renderReferencePage(chapters);
  const manual = chapters.map(renderCommandPage).join("\n");
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
  expect(renderReferencePage(chapters)).not.toContain("feather complete ");
  expect(renderProgramPage(chapters)).not.toContain("feather\\-complete(1)");
});

test("no text line of a man page is read as a roff request", () => {
  const requests = /^\.(\\"|TH|SH|TP|PP|B|BR|RS|RE|nf|fi|br)\b|^\.\\"/;
  for (const text of [renderProgramPage(chapters), ...chapters.map(renderCommandPage)])
    for (const line of text.split("\n")) if (/^[.']/.test(line)) expect(line).toMatch(requests);
});

test("every exit code is documented", () => {
  expect(EXIT_CODES.map(([code]) => code)).toEqual(Object.values(EXIT));
});
