/** Runs every check besides the tests: the contract, stale generated files, vocabulary, doc comments, types, unused dependencies, lint and formatting. */
import { readdirSync, readFileSync } from "node:fs";
import { ROOT, run } from "./run.ts";

const GENERATED = [
  "openapi/generated/openapi.json",
  "openapi/generated/schema.ts",
  "openapi/generated/operations.ts",
  "openapi/generated/access.md",
  "packages/sdk/src/generated/schema.ts",
  "packages/sdk/src/generated/routes.ts",
  "packages/sdk/src/generated/resources.ts",
  "packages/sdk/src/generated/table.ts",
  "packages/sdk/src/generated/examples.ts",
  "packages/sdk/api.md",
  "packages/server/src/db/schema.generated.ts",
  "docs/settings.md",
  "packages/web/content/docs/cli-reference.md",
  "packages/web/locales/en.po",
];

const MAN_DIR = "packages/cli/man/";

const listGeneratedPaths = (): string[] => [...GENERATED, ...readdirSync(ROOT + MAN_DIR).map((name) => MAN_DIR + name)];
const readGeneratedFiles = (): Map<string, string> =>
  new Map(listGeneratedPaths().map((path) => [path, readFileSync(ROOT + path, "utf8")]));

function areGeneratedFilesFresh(): boolean {
  const before = readGeneratedFiles();
  if (!run("node", ["scripts/generate.ts"])) return false;
  const after = readGeneratedFiles();
  const stale = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  if (stale.length > 0)
    console.error(`These files were stale and are written anew; commit them:\n  ${stale.join("\n  ")}`);
  return stale.length === 0;
}

const CHECKS: [string, () => boolean][] = [
  [
    "contract",
    () =>
      run("openapi/node_modules/.bin/redocly", [
        "lint",
        "openapi/openapi.yaml",
        "--config",
        "openapi/redocly.yaml",
        "--format",
        "summary",
      ]),
  ],
  ["generated files", areGeneratedFilesFresh],
  ["vocabulary", () => run("node", ["scripts/vocabulary.ts"])],
  ["doc comments", () => run("node", ["scripts/doc-comments.ts"])],
  ["types", () => run("tsc", ["-b"])],
  ["dependencies", () => run("knip", ["--dependencies", "--no-config-hints"])],
  ["lint and formatting", () => run("biome", ["check", "."])],
];

const failed = CHECKS.filter(([name, check]) => {
  console.log(`\n== ${name}`);
  return !check();
}).map(([name]) => name);

console.log(failed.length === 0 ? "\nAll checks hold." : `\nFailed: ${failed.join(", ")}.`);
process.exit(failed.length === 0 ? 0 : 1);
