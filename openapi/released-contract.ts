import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ComparedContract } from "./breaking-changes.ts";

const REDOCLY = fileURLToPath(new URL("node_modules/.bin/redocly", import.meta.url));
/** Tags that `npx changeset tag` makes for releases. */
const RELEASE_TAGS = "@feather/sdk@*";

/** Returns the tag of the last release that a checkout contains; null where there is none. */
export function findLastRelease(checkout: string): string | null {
  const args = ["describe", "--tags", "--abbrev=0", "--match", RELEASE_TAGS];
  try {
    return execFileSync("git", args, { cwd: checkout, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return null;
  }
}

/** Bundles the contract as it was at a tag. */
export function readContractAt(checkout: string, tag: string): ComparedContract {
  const folder = mkdtempSync(join(tmpdir(), "feather-release-"));
  try {
    const archive = execFileSync("git", ["archive", tag, "openapi"], { cwd: checkout, maxBuffer: 64 * 1024 * 1024 });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    const bundle = join(folder, "bundle.json");
    execFileSync(REDOCLY, ["bundle", join(folder, "openapi/openapi.yaml"), "-o", bundle], {
      cwd: folder,
      stdio: "pipe",
    });
    return JSON.parse(readFileSync(bundle, "utf8")) as ComparedContract;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a note of a pending release announces a major change of the SDK, which may break callers. */
export function announcesMajorChange(checkout: string): boolean {
  const folder = join(checkout, ".changeset");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .some((name) => /^"@feather\/sdk": major$/m.test(readFileSync(join(folder, name), "utf8")));
}
