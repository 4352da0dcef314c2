import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

type Manifest = { name: string; version: string; license?: string };

/** Returns the licences of the packages that these files belong to, as one text. Throws for a package without a licence. */
export function collectLicenses(files: readonly string[]): string {
  const folders = new Set(files.map(findPackage).filter((folder) => folder !== undefined));
  const sections = [...folders].map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    return { name: `${manifest.name} ${manifest.version}`, text: readLicense(folder, manifest) };
  });
  const sorted = sections.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return sorted.map(({ name, text }) => `${name}\n\n${text.trim()}\n`).join(`\n${"-".repeat(80)}\n\n`);
}

/** Returns the folder of the installed package that a file belongs to; undefined for a file of this repository. */
function findPackage(file: string): string | undefined {
  const [folder] = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(file) ?? [];
  return folder !== undefined && existsSync(join(folder, "package.json")) ? folder : undefined;
}

function readLicense(folder: string, { name, license }: Manifest): string {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (file !== undefined) return readFileSync(join(folder, file), "utf8");
  if (license === undefined) throw new Error(`${name} in ${dirname(folder)} names no licence.`);
  return `Licence: ${license}`;
}
