/** Refuses exports without a doc comment, in every package outside of tests. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Directive, type ExportNamedDeclaration, parseSync, type Statement } from "oxc-parser";
import { ROOT } from "./run.ts";

const CODE = /^(packages|openapi|scripts|e2e)\/.*\.(ts|tsx|mjs)$/;
const NOT_CHECKED = /(^|\/)generated\/|\.generated\.|\.d\.ts$|\.(test|suite)\.tsx?$/;

/** Returns `path:line name` for each undocumented export of the files that git tracks, in the order of their paths. */
export function findUndocumentedInCheckout(): string[] {
  const listed = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return listed
    .split("\n")
    .filter((path) => CODE.test(path) && !NOT_CHECKED.test(path))
    .flatMap((path) => findUndocumented(path, readFileSync(ROOT + path, "utf8")));
}

/** Returns `path:line name` for each undocumented export of one file. Throws an Error where the file does not parse. */
export function findUndocumented(path: string, text: string): string[] {
  const { program, comments, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const documentedAt = comments
    .filter(({ type, value }) => type === "Block" && value.startsWith("*"))
    .map(({ end }) => end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0));
  return program.body
    .filter(isExport)
    .filter((statement) => !documentedAt.includes(statement.start) && !isReturnTypeAlias(statement, text))
    .map((statement) => `${path}:${text.slice(0, statement.start).split("\n").length} ${nameOf(statement)}`);
}

function isExport(statement: Statement | Directive): statement is ExportNamedDeclaration {
  return statement.type === "ExportNamedDeclaration" && statement.declaration !== null;
}

/**
 * Returns whether a type is `export type Plans = ReturnType<typeof createPlans>`, which the comment of its factory
 * describes.
 */
function isReturnTypeAlias({ declaration }: ExportNamedDeclaration, text: string): boolean {
  if (declaration?.type !== "TSTypeAliasDeclaration") return false;
  const { start, end } = declaration.typeAnnotation;
  return /^(Awaited<)?ReturnType<typeof \w+>{1,2}$/.test(text.slice(start, end));
}

function nameOf({ declaration }: ExportNamedDeclaration): string {
  if (declaration?.type === "VariableDeclaration")
    return declaration.declarations.map(({ id }) => (id.type === "Identifier" ? id.name : "a pattern")).join(", ");
  return declaration && "id" in declaration && declaration.id && "name" in declaration.id ? declaration.id.name : "";
}

function main(): void {
  const found = findUndocumentedInCheckout();
  for (const line of found) console.error(line);
  if (found.length === 0) return;
  console.error(`\n${found.length} exports have no doc comment. Say what is returned, its unit and its errors.`);
  process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main();
