import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../errors.ts";

/** What is kept for one server and one account. */
export type Profile = {
  readonly baseUrl?: string;
  readonly secret?: string;
  readonly name?: string;
  /** What renews the secret, and when it ends: of sign-ins by browser or device. */
  readonly refreshToken?: string;
  readonly expiresAt?: string;
};
export type Profiles = Readonly<Record<string, Profile>>;

const FILE = "config";

/** The profiles in the configuration file; none when there is no file. Reads without a library, for a quick start. */
export function readProfiles(dir: string): Profiles {
  const path = join(dir, `${FILE}.json`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
  const content = parse(text, path);
  const profiles = isRecord(content) ? content.profiles : undefined;
  if (!isRecord(profiles)) return {};
  return Object.fromEntries(Object.entries(profiles).map(([name, value]) => [name, profileFrom(value)]));
}

/** Writes one profile; `undefined` removes it. The file is for its owner only, and so is the folder. */
export async function writeProfile(dir: string, name: string, profile: Profile | undefined): Promise<void> {
  const { default: Conf } = await import("conf");
  const { [name]: _, ...others } = readProfiles(dir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  chmodSync(dir, 0o700);
  const file = new Conf<{ profiles: Profiles }>({
    projectName: "feather",
    cwd: dir,
    configName: FILE,
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  });
  file.set("profiles", profile === undefined ? others : { ...others, [name]: profile });
  chmodSync(file.path, 0o600);
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not valid JSON`, `repair or remove it, then feather login`);
  }
}

function profileFrom(value: unknown): Profile {
  if (!isRecord(value)) return {};
  const text = (key: string) => (typeof value[key] === "string" ? { [key]: value[key] } : {});
  const names = ["baseUrl", "secret", "name", "refreshToken", "expiresAt"] as const;
  return Object.assign({}, ...names.map(text));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
