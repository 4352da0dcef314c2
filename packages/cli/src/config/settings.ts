import { UsageError } from "../errors.ts";
import { nearest } from "../suggest.ts";
import type { Environment } from "./environment.ts";
import { type Config, DEFAULT_PROFILE, readConfig } from "./file.ts";

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
  /** Whether a stored sign-in for this server is not used because the environment holds a secret. */
  readonly overridesSignIn: boolean;
};

export type SettingFlags = {
  readonly baseUrl?: string | undefined;
  readonly profile?: string | undefined;
  /** The profile may be one that is not there yet. */
  readonly newProfile?: boolean;
};

/** Settings by precedence: flag, environment, file, default. */
export function resolveSettings(flags: SettingFlags, env: Environment, { profiles, current }: Config): Settings {
  const named = flags.profile ?? env.profile;
  const name = named ?? current;
  if (!flags.newProfile && named !== undefined && named !== DEFAULT_PROFILE && profiles[named] === undefined)
    throw unknownProfile(named, Object.keys(profiles));
  const profile = profiles[name] ?? {};
  const baseUrl = address(flags.baseUrl ?? env.baseUrl ?? profile.baseUrl ?? DEFAULT_BASE_URL);
  // A secret goes only to the server it was stored for.
  const stored = baseUrl === address(profile.baseUrl ?? DEFAULT_BASE_URL) ? profile.secret : undefined;
  const given = env.apiKey ?? env.token;
  if (given !== undefined) {
    const secretSource = env.apiKey === undefined ? "FEATHER_TOKEN" : "FEATHER_API_KEY";
    const overridesSignIn = stored !== undefined;
    return { baseUrl, secret: given, secretSource, renewable: false, profile: name, overridesSignIn };
  }
  return {
    baseUrl,
    secret: stored,
    secretSource: stored === undefined ? undefined : `profile ${name}`,
    renewable: stored !== undefined && profile.refreshToken !== undefined,
    profile: name,
    overridesSignIn: false,
  };
}

/** What to say of a profile that is not there. */
export function unknownProfile(name: string, known: readonly string[]): UsageError {
  const [close] = nearest(name, known);
  const hint =
    close === undefined ? `feather login --profile ${name} makes it; feather profile list` : `--profile ${close}`;
  return new UsageError(`there is no profile called ${name}`, hint);
}

/** `resolveSettings` with the file of the environment's folder. */
export function loadSettings(flags: SettingFlags, env: Environment): Settings {
  return resolveSettings(flags, env, readConfig(env.configDir));
}

function address(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`${text} is not an address of a server`, "--base-url https://feather.example");
  return text.replace(/\/+$/, "");
}
