/**
 * Packs the terminal program and the SDK as npm archives, `cli.tgz` and `sdk.tgz`, into the built site, so that a server
 * offers the versions that match it. Runs after the build of the site, which empties that folder.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toPublishedManifest } from "./published-manifest.ts";
import { ROOT, runOrExit } from "./run.ts";

const SITE = join(ROOT, "packages/web/dist");

packCli();
packSdk();

/** Packs the program. The SDK is bundled into it, so its manifest lists only packages of the public registry. */
function packCli(): void {
  const source = join(ROOT, "packages/cli");
  pack("cli", source, (folder) => {
    for (const part of ["bin", "dist", "man"]) cpSync(join(source, part), join(folder, part), { recursive: true });
  });
}

/** Packs the SDK with compiled files instead of its sources. */
function packSdk(): void {
  const source = join(ROOT, "packages/sdk");
  pack("sdk", source, (folder) => {
    const compilerFlags = ["--composite", "false", "--incremental", "false", "--outDir", join(folder, "dist")];
    runOrExit("tsc", ["-p", join(source, "tsconfig.json"), ...compilerFlags]);
    for (const page of ["api.md", "CHANGELOG.md"]) cpSync(join(source, page), join(folder, page));
  });
}

/** Packs the files that `fill` copies into an empty folder, with the manifest that the package is published with. */
function pack(name: string, source: string, fill: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), `feather-pack-${name}-`));
  try {
    fill(folder);
    for (const page of ["README.md", "LICENSE", "package.json"]) cpSync(join(source, page), join(folder, page));
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(toPublishedManifest(folder), null, 2)}\n`);
    const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
    const { status, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
    const archive = readdirSync(folder).find((file) => file.endsWith(".tgz"));
    if (status !== 0 || archive === undefined) throw new Error(`npm could not pack ${name}: ${stderr}`);
    cpSync(join(folder, archive), join(SITE, `${name}.tgz`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
