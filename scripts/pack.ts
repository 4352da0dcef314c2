/**
 * Packs the terminal program and the SDK into the built site, as the archives that `npm install` takes, so that a server
 * gives out the ones that match it: `cli.tgz` and `sdk.tgz`. Both have to be built into the site's folder after it.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { must, ROOT } from "./run.ts";

type Manifest = Readonly<Record<string, unknown>> & { readonly publishConfig?: { readonly exports?: object } };

const SITE = join(ROOT, "packages/web/dist");

packCli();
packSdk();

/** The program is bundled with the SDK, and names only packages of the public registry. */
function packCli(): void {
  const source = join(ROOT, "packages/cli");
  pack("cli", source, (folder) => {
    for (const part of ["bin", "dist", "man"]) cpSync(join(source, part), join(folder, part), { recursive: true });
    const { directories: _, ...manifest } = manifestOf(source);
    // npm links pages of the manual only where they are listed.
    return { ...manifest, man: readdirSync(join(source, "man")).map((page) => `./man/${page}`) };
  });
}

/** The SDK with its compiled files in the place of its sources. */
function packSdk(): void {
  const source = join(ROOT, "packages/sdk");
  pack("sdk", source, (folder) => {
    const whole = ["--composite", "false", "--incremental", "false", "--outDir", join(folder, "dist")];
    must("tsc", ["-p", join(source, "tsconfig.json"), ...whole]);
    for (const page of ["api.md", "CHANGELOG.md"]) cpSync(join(source, page), join(folder, page));
    const { publishConfig, ...manifest } = manifestOf(source);
    return { ...manifest, exports: publishConfig?.exports };
  });
}

/** Packs what `fill` puts into an empty folder and the manifest that it returns. */
function pack(name: string, source: string, fill: (folder: string) => Manifest): void {
  const folder = mkdtempSync(join(tmpdir(), `feather-pack-${name}-`));
  try {
    const { devDependencies: _, scripts: __, publishConfig: ___, ...manifest } = fill(folder);
    for (const page of ["README.md", "LICENSE"]) cpSync(join(source, page), join(folder, page));
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
    const { status, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
    const archive = readdirSync(folder).find((file) => file.endsWith(".tgz"));
    if (status !== 0 || archive === undefined) throw new Error(`npm could not pack ${name}: ${stderr}`);
    cpSync(join(folder, archive), join(SITE, `${name}.tgz`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}
