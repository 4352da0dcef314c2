// @vitest-environment node
import { formatter } from "@lingui/format-po";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { expect, test } from "vitest";

/** All catalogues but the pseudo-locale, which is made from the English one. */
const FILES = import.meta.glob<string>(["../../locales/*.po", "!../../locales/pseudo.po"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const po = formatter();

async function read(path: string, content = FILES[path] ?? "") {
  const locale = /([^/]+)\.po$/.exec(path)?.[1];
  return po.parse(content, { locale, sourceLocale: "en", filename: path });
}

type Token = string | [name: string, kind?: string, choices?: Record<string, Token[]>];

/** Returns the placeholders of a message: names of values, and tags of elements. */
function placeholdersOf(message: string): string[] {
  const names = (tokens: readonly Token[]): string[] =>
    tokens.flatMap((token) => {
      if (typeof token === "string") return token.match(/<\/?\w+\/?>/g) ?? [];
      const [name, , choices] = token;
      const inner = Object.values(typeof choices === "object" ? choices : {}).filter(Array.isArray);
      return [name, ...inner.flatMap((choice) => names(choice))];
    });
  return [...new Set(names(compileMessage(message) as Token[]))].sort();
}

/** Returns the problems of a catalogue. At run time an untranslated message falls back to English. */
async function findProblems(path: string, content?: string): Promise<string[]> {
  const [source, translated] = [await read("../../locales/en.po"), await read(path, content)];
  const missing = Object.keys(source).filter((id) => !translated[id]?.translation);
  const superfluous = Object.keys(translated).filter((id) => source[id] === undefined);
  const mismatched = Object.values(translated).filter(
    ({ message = "", translation }) =>
      translation && String(placeholdersOf(message)) !== String(placeholdersOf(translation)),
  );
  return [
    ...missing.map((id) => `lacks: ${source[id]?.message ?? id}`),
    ...superfluous.map((id) => `is not used: ${translated[id]?.message ?? id}`),
    ...mismatched.map(({ message }) => `other placeholders: ${message}`),
  ];
}

test.each(Object.keys(FILES))("%s has every message, with the placeholders of the English source", async (path) => {
  expect(await findProblems(path)).toEqual([]);
});

test("reports a catalogue that lacks messages or placeholders", async () => {
  const [first] = Object.values(await read("../../locales/en.po")).filter(({ message }) => message?.includes("{"));
  const text = JSON.stringify(first?.message);
  const content = `msgid ""\nmsgstr ""\n\nmsgid ${text}\nmsgstr "Ohne Platzhalter"\n`;
  const problems = await findProblems("../../locales/xx.po", `${content}\nmsgid "Of no use"\nmsgstr "Ohne Zweck"\n`);
  expect(problems).toContain(`other placeholders: ${first?.message}`);
  expect(problems).toContain("is not used: Of no use");
  expect(problems.filter((problem) => problem.startsWith("lacks: ")).length).toBeGreaterThan(1000);
});
