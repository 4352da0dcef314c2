/** Runs every check besides the tests: the contract, stale generated files, changes that break callers, vocabulary, doc comments, imports, figures about the code, types, unused dependencies, lint and formatting. */
import { readFileSync } from "node:fs";
import { ROOT, run } from "./run.ts";

/** Generated files that git keeps because people read or translate them. */
const COMMITTED = [
  "docs/access.md",
  "docs/settings.md",
  "packages/web/content/docs/metrics.md",
  "deploy/grafana/feather.json",
  "deploy/prometheus/alerts.yaml",
  "packages/web/locales/en.po",
];

const readCommitted = (): Map<string, string> =>
  new Map(COMMITTED.map((path) => [path, readFileSync(ROOT + path, "utf8")]));

function areGeneratedFilesFresh(): boolean {
  const before = readCommitted();
  if (!run("node", ["scripts/generate.ts"])) return false;
  const after = readCommitted();
  const stale = COMMITTED.filter((path) => before.get(path) !== after.get(path));
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
  ["breaking changes", () => run("node", ["openapi/check-breaking-changes.ts"])],
  ["vocabulary", () => run("node", ["scripts/vocabulary.ts"])],
  ["doc comments", () => run("node", ["scripts/doc-comments.ts"])],
  ["imports", () => run("node", ["scripts/import-rules.ts"])],
  ["figures about the code", () => run("node", ["scripts/code-figures.ts"])],
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
