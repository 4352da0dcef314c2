import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  archiveOf,
  createEmptyFolder,
  installPackage,
  listFiles,
  measureInstallation,
  readManifest,
} from "../support/pack.ts";
import { platformUrl } from "../support/platform-url.ts";

const ROOT = join(import.meta.dirname, "../..");
const MAX_INSTALLED_BYTES = 15_000_000;
const folder = createEmptyFolder();
const program = installPackage("cli", folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const feather = (...args: string[]) => {
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: folder, FEATHER_BASE_URL: platformUrl() };
  return spawnSync(process.execPath, [join(program, "bin/feather.js"), ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
};

test("the CLI package contains what it needs and nothing else", () => {
  const files = listFiles(program);
  expect(files).toEqual(
    expect.arrayContaining(["README.md", "bin/feather.js", "dist/main.js", "dist/update/look-up.js", "man/feather.1"]),
  );
  const licenses = readFileSync(join(program, "dist/THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const name of ["commander", "ink", "openapi-fetch", "react", "yoga-layout"])
    expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.`, "m"));
  for (const file of files)
    expect(file).toMatch(
      /^(package\.json|README\.md|LICENSE|bin\/feather\.js|man\/feather(-[\w-]+)?\.1|dist\/.+\.js|dist\/THIRD-PARTY-LICENSES\.txt)$/,
    );
  const { bin, dependencies = {} } = readManifest(program);
  expect(bin).toEqual({ feather: "./bin/feather.js" });
  // Nothing that only the workspace has, and exact versions of everything else.
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+/);
});

test("npm packs the CLI from its folder with what the server's package has, and leaves the manifest as it was", () => {
  const checkout = createEmptyFolder();
  const copy = join(checkout, "packages/cli");
  for (const name of ["tsconfig.base.json", "scripts/published-manifest.ts"])
    cpSync(join(ROOT, name), join(checkout, name));
  cpSync(join(ROOT, "packages/cli"), copy, { recursive: true, filter: (path) => !/\/(node_modules|dist)$/.test(path) });
  symlinkSync(join(ROOT, "packages/cli/node_modules"), join(copy, "node_modules"));
  const bin = join(ROOT, "node_modules/.bin");
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH ?? ""}` };
  try {
    expect(spawnSync("npm", ["pack", "--pack-destination", checkout], { cwd: copy, env })).toMatchObject({ status: 0 });
    expect(readFileSync(join(copy, "package.json"))).toEqual(readFileSync(join(ROOT, "packages/cli/package.json")));
    spawnSync("tar", ["-xzf", `feather-cli-${readManifest(copy).version}.tgz`], { cwd: checkout });
    // The names of parts of the program end in a hash of their text, which has the path of the folder.
    const names = (folder: string) => listFiles(folder).map((path) => path.replace(/-[0-9A-Z]{8}\.js$/, ".js"));
    expect(names(join(checkout, "package"))).toEqual(names(program));
    const { man = [] } = readManifest(join(checkout, "package"));
    expect(man).toEqual(readManifest(program).man);
    expect(man).toContain("./man/feather.1");
  } finally {
    rmSync(checkout, { recursive: true, force: true });
  }
});

test("the installed CLI takes at most 15 MB with all its dependencies", () => {
  expect(measureInstallation(program)).toBeLessThanOrEqual(MAX_INSTALLED_BYTES);
});

test.each(["cli", "sdk"] as const)("the server offers %s.tgz, which npm can read, in its own version", async (name) => {
  const url = `${platformUrl()}/${name}.tgz`;
  const given = await fetch(url);
  expect([given.status, given.headers.get("content-type")]).toEqual([200, "application/gzip"]);
  expect(Buffer.from(await given.arrayBuffer()).equals(readFileSync(archiveOf(name)))).toBe(true);
  const packed = spawnSync("npm", ["pack", "--dry-run", "--json", url], { cwd: folder, encoding: "utf8" });
  const [{ version } = { version: undefined }] = JSON.parse(packed.stdout) as { version?: string }[];
  const config = (await (await fetch(`${platformUrl()}/api/config`)).json()) as { version: string };
  expect([packed.status, version]).toEqual([0, config.version]);
});

test("the server's SDK package works in an empty folder", () => {
  installPackage("sdk", folder);
  const program = `import { createFeather } from "@feather/sdk";
    console.log((await createFeather({ apiKey: null }).models.list({ perPage: 1 })).items.length);`;
  const env = { PATH: process.env.PATH ?? "", FEATHER_BASE_URL: platformUrl() };
  const args = ["--input-type=module", "--eval", program];
  expect(spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" })).toMatchObject({
    stdout: "1\n",
    stderr: "",
  });
});

test("the server's CLI package works in an empty folder", () => {
  const { version } = readManifest(program);
  expect(feather("--version")).toMatchObject({ status: 0, stdout: `${version}\n` });
  expect(feather("--help").stdout).toContain("feather [options] [command]");
  const list = feather("models", "list", "--limit", "1", "--jq", ".items[].id");
  expect([list.status, list.stderr]).toEqual([0, ""]);
  expect(list.stdout).toMatch(/^\S+\/\S+\n$/);
  expect(feather("completion", "bash").stdout).toContain("complete -o default");
  expect(feather("whoami").status).toBe(4);
  expect(feather("doctor").stdout).toMatch(/^server\tok\t/m);
});
