/** Refuses words that the field has another term for: in names, comments, titles of tests, the contract's texts and the docs. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { parseSync } from "oxc-parser";
import { REFUSED_FILES, REFUSED_NAMES, REFUSED_PHRASES, type Refusal } from "./refused-words.ts";
import { ROOT } from "./run.ts";

/** One use of a refused word: its file and line, the word as found, and the term to use. */
export type Finding = { path: string; line: number; found: string; use: string };

const NOT_OURS =
  /(^|\/)(generated|node_modules|migrations)\/|\.generated\.|^scripts\/(refused-words|vocabulary\.test)\.ts$|^packages\/guide\/text\//;
const CODE = /\.(ts|tsx|mjs)$/;
const TEXT = /\.(md|yaml)$/;
const TEST = /\.(test|suite)\.tsx?$/;
/** Calls whose first argument is the title of a test or of a group of tests, also after `.each(…)`. */
const TITLE = /\b(?:test|it|describe)(?:\.\w+)*(?:\([^()]*\)|`[^`]*`)?\(\s*(["'`])((?:\\.|(?!\1).)*)\1/gs;

/** Findings in the files of the checkout that git knows, in the order of their paths. */
export function findInCheckout(): Finding[] {
  const listed = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return listed
    .split("\n")
    .filter((path) => (CODE.test(path) || TEXT.test(path)) && !NOT_OURS.test(path))
    .flatMap((path) => [...findInFileName(path), ...findInText(path, readFileSync(ROOT + path, "utf8"))]);
}

/** Findings in a file's own name, without its folders and endings. */
export function findInFileName(path: string): Finding[] {
  const name = basename(path).replace(/\..*$/, "");
  const camel = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const refusals = [...matches(REFUSED_FILES, path, [name]), ...matches(REFUSED_NAMES, path, [camel])];
  return refusals.map(({ use }) => ({ path, line: 1, found: name, use }));
}

/** Findings in the text of one file; `path` says what kind of file it is. Throws where code has a syntax error. */
export function findInText(path: string, text: string): Finding[] {
  return CODE.test(path) ? findInCode(path, text) : findPhrases(path, text, [{ start: 0, value: text }]);
}

function findInCode(path: string, text: string): Finding[] {
  const { program, comments, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const names = identifiersOf(program).flatMap(({ name, start }) =>
    matches(REFUSED_NAMES, path, [name]).map(({ use }) => ({ path, line: lineAt(text, start), found: name, use })),
  );
  const titles = TEST.test(path)
    ? [...text.matchAll(TITLE)].map((match) => ({ start: match.index, value: match[2] ?? "" }))
    : [];
  const prose = comments.map(({ start, value }) => ({ start, value: value.replace(/^[\s*]+/gm, "") }));
  return [...names, ...findPhrases(path, text, [...prose, ...titles])];
}

function findPhrases(path: string, text: string, prose: { start: number; value: string }[]): Finding[] {
  const refusals = REFUSED_PHRASES.filter((refusal) => applies(refusal, path));
  return prose.flatMap(({ start, value }) =>
    refusals.flatMap(({ pattern, use }) => {
      const found = pattern.exec(value);
      return found ? [{ path, line: lineAt(text, start + found.index), found: found[0], use }] : [];
    }),
  );
}

/** Every identifier of a syntax tree with the offset where it starts; a name used ten times comes ten times. */
function identifiersOf(tree: unknown): { name: string; start: number }[] {
  const found: { name: string; start: number }[] = [];
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== "object" || node === null) continue;
    if (
      "type" in node &&
      (node.type === "Identifier" || node.type === "JSXIdentifier") &&
      "name" in node &&
      "start" in node
    )
      found.push({ name: String(node.name), start: Number(node.start) });
    open.push(...Object.values(node).reverse());
  }
  return found;
}

function matches(refusals: readonly Refusal[], path: string, names: string[]): Refusal[] {
  return refusals.filter((refusal) => applies(refusal, path) && names.some((name) => refusal.pattern.test(name)));
}

function applies({ under, except }: Refusal, path: string): boolean {
  return (under === undefined || under.some((prefix) => path.startsWith(prefix))) && !except?.includes(path);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function main(): void {
  const findings = findInCheckout();
  for (const { path, line, found, use } of findings) console.error(`${path}:${line} ${found}: use ${use}`);
  if (findings.length === 0) return;
  console.error(
    `\n${findings.length} refused words. docs/glossary.md has the terms, scripts/refused-words.ts the list.`,
  );
  process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main();
