import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "./run.ts";

/**
 * Commands that fetch a program or package with one of our names from a registry. None of ours is published there, so
 * they would run another publisher's package.
 */
const REGISTRY_COMMAND =
  /\b(?:npx|bunx|pnpm dlx|npm exec)(?: -\S+)* (?:feather\b|@feather\/)|\b(?:npm|pnpm|yarn|bun) (?:i|add|install)(?: -\S+)* (?:feather\b|@feather\/)/;

/** Texts for people. What people may ask the guide stands in its folder too; only its answers are ours. */
const isText = (path: string): boolean =>
  /\.(md|yaml|json|tsx?|mjs|js)$/.test(path) && !/\.test\.tsx?$|^packages\/guide\/(evaluation|text|train)\//.test(path);

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: ROOT,
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
});
const paths = listed.split("\n").filter(isText);

const findCommands = (text: string): string[] => text.split("\n").filter((line) => REGISTRY_COMMAND.test(line));

test.each([
  ["npx feather login", true],
  ["npx -y feather@latest login", true],
  ["pnpm dlx @feather/cli login", true],
  ["npm install -g @feather/cli", true],
  ["npm install @feather/sdk", true],
  ["npm install -g http://localhost:4000/cli.tgz", false],
  ["npx node packages/server/src/commands/verify-ledger.ts", false],
  ["feather login", false],
])("takes %j for a command that asks a registry for what is ours: %s", (line, expected) => {
  expect(findCommands(line).length > 0).toBe(expected);
});

test("no text of the project runs or installs what is ours from a registry", () => {
  const found = paths.flatMap((path) =>
    findCommands(readFileSync(ROOT + path, "utf8")).map((line) => `${path}: ${line.trim()}`),
  );
  expect(paths.length).toBeGreaterThan(1000);
  expect(found).toEqual([]);
});

test("no answer of the guide runs or installs what is ours from a registry", () => {
  const { answers } = JSON.parse(readFileSync(`${ROOT}packages/guide/evaluation/answers.json`, "utf8")) as {
    answers: Record<string, string>;
  };
  expect(Object.keys(answers).length).toBeGreaterThan(100);
  expect(Object.values(answers).flatMap(findCommands)).toEqual([]);
});

test.each(["cli", "sdk"])("publishing the package %s is refused, with where it is given out instead", (name) => {
  const folder = `${ROOT}/packages/${name}`;
  const { scripts } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as { scripts: Record<string, string> };
  const { status, stderr } = spawnSync("sh", ["-c", scripts.prepublishOnly ?? "true"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toContain("/cli.tgz");
});
