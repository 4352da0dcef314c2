import { UsageError } from "../errors.ts";
import type { Environment } from "./environment.ts";
import { type Profiles, readProfiles } from "./file.ts";

export const DEFAULT_BASE_URL = "http://localhost:4000";

export type Settings = {
  /** Address of the server, without a trailing slash. */
  readonly baseUrl: string;
  /** An API key, or a session or access token. */
  readonly secret: string | undefined;
  /** Where the secret came from, in words. */
  readonly secretSource: string | undefined;
  /** Whether the secret ends by itself and is renewed in the file. */
  readonly renewable: boolean;
  readonly profile: string;
};

export type SettingFlags = { readonly baseUrl?: string | undefined; readonly profile?: string | undefined };

/** Settings by precedence: flag, environment, file, default. */
export function resolveSettings(flags: SettingFlags, env: Environment, profiles: Profiles): Settings {
  const name = flags.profile ?? env.profile ?? "default";
  const profile = profiles[name] ?? {};
  const baseUrl = address(flags.baseUrl ?? env.baseUrl ?? profile.baseUrl ?? DEFAULT_BASE_URL);
  const given = env.apiKey ?? env.token;
  if (given !== undefined) {
    const secretSource = env.apiKey === undefined ? "FEATHER_TOKEN" : "FEATHER_API_KEY";
    return { baseUrl, secret: given, secretSource, renewable: false, profile: name };
  }
  // A secret goes only to the server it was stored for.
  const stored = baseUrl === address(profile.baseUrl ?? DEFAULT_BASE_URL) ? profile.secret : undefined;
  return {
    baseUrl,
    secret: stored,
    secretSource: stored === undefined ? undefined : `profile ${name}`,
    renewable: stored !== undefined && profile.refreshToken !== undefined,
    profile: name,
  };
}

/** `resolveSettings` with the file of the environment's folder. */
export function loadSettings(flags: SettingFlags, env: Environment): Settings {
  return resolveSettings(flags, env, readProfiles(env.configDir));
}

function address(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`${text} is not an address of a server`, "--base-url https://feather.example");
  return text.replace(/\/+$/, "");
}
