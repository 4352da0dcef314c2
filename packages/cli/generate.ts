/** Writes the man pages and the reference in the docs from the commands. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TABLE } from "./src/commands/table.ts";
import { nounPage, programPage } from "./src/reference/man.ts";
import { referencePage } from "./src/reference/markdown.ts";
import { chaptersOf } from "./src/reference/usage.ts";

const MAN = fileURLToPath(new URL("man/", import.meta.url));
const PAGE = fileURLToPath(new URL("../web/content/docs/cli-reference.md", import.meta.url));

const chapters = await chaptersOf(TABLE);
const pages = new Map([
  ["feather.1", programPage(chapters)],
  ...chapters.map((chapter) => [`feather-${chapter.name}.1`, nounPage(chapter)] as const),
]);
mkdirSync(MAN, { recursive: true });
for (const name of readdirSync(MAN)) if (!pages.has(name)) rmSync(MAN + name);
for (const [name, text] of pages) writeFileSync(MAN + name, text);
writeFileSync(PAGE, referencePage(chapters));
