/**
 * Runs all test suites. Arguments are passed to Vitest: `npm test -- --project server`. With `--changed`, or `--changed
 * <commit>`, it runs the tests that a change reaches: in the server those in the folders of changed files, in other
 * packages those that import them. End-to-end tests only run without it.
 */
import { listChangedFiles, serverFoldersOf } from "./changed-tests.ts";
import { run } from "./run.ts";

const IMPORTING_PROJECTS = ["scripts", "testing", "sdk", "engine", "guide", "markdown", "cli", "web"];

function runChanged(since: string): boolean {
  const projects = IMPORTING_PROJECTS.map((project) => `--project=${project}`);
  const isPassed = run("vitest", ["run", "--changed", since, "--passWithNoTests", ...projects]);
  const folders = serverFoldersOf(listChangedFiles(since));
  if (folders.length === 0) return isPassed;
  return run("vitest", ["run", "--project", "server", "--passWithNoTests", ...folders]) && isPassed;
}

const args = process.argv.slice(2);
const isPassed = args[0] === "--changed" ? runChanged(args[1] ?? "HEAD") : run("vitest", ["run", ...args]);
process.exit(isPassed ? 0 : 1);
