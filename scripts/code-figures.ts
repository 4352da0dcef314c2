/**
 * Compares figures about the code with those in `scripts/code-figures.json`, and refuses worse ones. `--write` writes today's. A
 * commit that makes a figure worse does nothing else. Long functions and circles of imports are refused by other checks; the
 * sizes of the site and the SDK by `e2e/web/first-visit.test.ts` and `packages/sdk/src/size.test.ts`.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./run.ts";

const FILE = join(ROOT, "scripts/code-figures.json");
const PACKAGES = ["sdk", "cli", "web", "server", "engine"];
const SERVER = "packages/server/src/";
const TEST = /\.(test|suite)\.tsx?$|\/testing\//;
/** Migrations are never moved, and there will be more of them. */
const GROWING_FOLDERS = /\/migrations$/;

/** Figures by name. Those in `atMost` may not grow, those in `atLeast` may not shrink. */
export type Figures = { atMost: Readonly<Record<string, number>>; atLeast: Readonly<Record<string, number>> };

/** A file of the repository: its path from the root, and its lines. */
export type SourceFile = { path: string; lines: number };

/** Returns the figures of the code: `files` are the sources of all packages, `dependencies` the number of each package's. */
export function measure(files: readonly SourceFile[], dependencies: Readonly<Record<string, number>>): Figures {
  const product = files.filter(({ path }) => !TEST.test(path));
  const server = product.filter(({ path }) => path.startsWith(SERVER));
  return {
    atMost: {
      "lines of the server's largest module": maximum(sumBy(server, ({ path }) => moduleOf(path))),
      "lines of the largest file": Math.max(...product.map(({ lines }) => lines)),
      ...Object.fromEntries(
        PACKAGES.map((name) => {
          const own = product.filter(({ path }) => path.startsWith(`packages/${name}/`));
          const counted = own.filter(({ path }) => !GROWING_FOLDERS.test(dirname(path)));
          return [`files in the fullest folder of ${name}`, maximum(countBy(counted, ({ path }) => dirname(path)))];
        }),
      ),
      ...Object.fromEntries(
        Object.entries(dependencies).map(([name, count]) => [`runtime dependencies of ${name}`, count]),
      ),
    },
    atLeast: Object.fromEntries(
      PACKAGES.map((name) => {
        const own = files.filter(({ path }) => path.startsWith(`packages/${name}/`));
        const [tests, code] = [own.filter(isTest), own.filter((file) => !isTest(file))].map(totalLines);
        return [`test lines per 100 code lines of ${name}`, Math.floor(((tests ?? 0) * 100) / Math.max(1, code ?? 0))];
      }),
    ),
  };
}

/** Returns a sentence for each figure that is worse than the committed one, or missing in one of the two. */
export function findWorse(committed: Figures, current: Figures): string[] {
  const worse = (kind: keyof Figures, isWorse: (now: number, before: number) => boolean) => {
    const names = new Set([...Object.keys(committed[kind]), ...Object.keys(current[kind])]);
    return [...names].flatMap((name) => {
      const [before, now] = [committed[kind][name], current[kind][name]];
      if (before === undefined || now === undefined) return [`${name}: is in only one of the two lists`];
      return isWorse(now, before) ? [`${name}: ${now}, before ${before}`] : [];
    });
  };
  return [...worse("atMost", (now, before) => now > before), ...worse("atLeast", (now, before) => now < before)];
}

const isTest = ({ path }: SourceFile) => TEST.test(path);
const totalLines = (files: readonly SourceFile[]) => files.reduce((sum, { lines }) => sum + lines, 0);
const maximum = (totals: ReadonlyMap<string, number>) => Math.max(0, ...totals.values());

/** Returns the module of a file of the server: its first two folders. */
const moduleOf = (path: string) => path.slice(SERVER.length).split("/").slice(0, -1).slice(0, 2).join("/");

function sumBy(files: readonly SourceFile[], keyOf: (file: SourceFile) => string): Map<string, number> {
  const totals = new Map<string, number>();
  for (const file of files) totals.set(keyOf(file), (totals.get(keyOf(file)) ?? 0) + file.lines);
  return totals;
}

const countBy = (files: readonly SourceFile[], keyOf: (file: SourceFile) => string) =>
  sumBy(
    files.map((file) => ({ ...file, lines: 1 })),
    keyOf,
  );

function readSources(): SourceFile[] {
  const listed = execFileSync("git", ["ls-files", "packages/*/src/**"], { cwd: ROOT, encoding: "utf8" });
  return listed
    .split("\n")
    .filter((path) => /\.tsx?$/.test(path) && basename(path) !== "messages.ts")
    .map((path) => ({ path, lines: readFileSync(join(ROOT, path), "utf8").split("\n").length - 1 }));
}

function countDependencies(): Record<string, number> {
  return Object.fromEntries(
    PACKAGES.map((name) => {
      const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, `packages/${name}/package.json`), "utf8")) as {
        dependencies?: Record<string, string>;
      };
      return [name, Object.keys(dependencies).length];
    }),
  );
}

function main(): void {
  const current = measure(readSources(), countDependencies());
  if (process.argv.includes("--write")) writeFileSync(FILE, `${JSON.stringify(current, null, 2)}\n`);
  const worse = findWorse(JSON.parse(readFileSync(FILE, "utf8")) as Figures, current);
  for (const sentence of worse) console.error(sentence);
  console.log(`${worse.length} figures are worse than in scripts/code-figures.json.`);
  process.exitCode = worse.length === 0 ? 0 : 1;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) main();
