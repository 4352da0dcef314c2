import { UsageError } from "../errors.ts";
import { findNearest } from "../suggest.ts";
import { readConfig } from "./config-file.ts";
import { type Config, DEFAULT_PROFILE } from "./config-schema.ts";
import type { Environment } from "./environment.ts";

/** Server that is used when none is configured. */
export const DEFAULT_BASE_URL = "http://localhost:4000";

/** The settings of a run. */
export type Settings = {
  /** URL of the server's site, without a trailing slash. */
  readonly baseUrl: string;
  /** An API key, or a session or access token. */
  readonly secret: string | undefined;
  /** Where the secret comes from, for messages. */
  readonly secretSource: string | undefined;
  /** Whether the secret expires and can be renewed. */
  readonly renewable: boolean;
  readonly profile: string;
  /** Whether the environment's secret takes precedence over a stored sign-in for this server. */
  readonly overridesSignIn: boolean;
};

/** The flags that settings depend on. */
export type SettingFlags = {
  readonly baseUrl?: string | undefined;
  readonly profile?: string | undefined;
  /** Whether the profile may be one that does not exist yet. */
  readonly allowsNewProfile?: boolean;
};

/** Resolves the settings by precedence: flag, environment, file, default. Throws `UsageError` for an unknown profile or an invalid URL. */
export function resolveSettings(flags: SettingFlags, env: Environment, { profiles, current }: Config): Settings {
  const named = flags.profile ?? env.profile;
  const name = named ?? current;
  if (!flags.allowsNewProfile && named !== undefined && named !== DEFAULT_PROFILE && profiles[named] === undefined)
    throw createUnknownProfileError(named, Object.keys(profiles));
  const profile = profiles[name] ?? {};
  const baseUrl = parseBaseUrl(flags.baseUrl ?? env.baseUrl ?? profile.baseUrl ?? DEFAULT_BASE_URL);
  // A stored secret is sent only to the server it was stored for.
  const stored = baseUrl === parseBaseUrl(profile.baseUrl ?? DEFAULT_BASE_URL) ? profile.secret : undefined;
  const environmentSecret = env.apiKey ?? env.token;
  if (environmentSecret !== undefined) {
    const secretSource = env.apiKey === undefined ? "FEATHER_TOKEN" : "FEATHER_API_KEY";
    const overridesSignIn = stored !== undefined;
    return { baseUrl, secret: environmentSecret, secretSource, renewable: false, profile: name, overridesSignIn };
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

/** Creates the error for a profile that does not exist, with the closest name. */
export function createUnknownProfileError(name: string, known: readonly string[]): UsageError {
  const [close] = findNearest(name, known);
  const hint =
    close === undefined ? `feather login --profile ${name} makes it; feather profile list` : `--profile ${close}`;
  return new UsageError(`there is no profile called ${name}`, hint);
}

/** Reads the configuration file and resolves the settings with it. */
export function loadSettings(flags: SettingFlags, env: Environment): Settings {
  return resolveSettings(flags, env, readConfig(env.configDir));
}

/** Returns whether others on the network can read what is sent to a server: it is plain HTTP to another machine. */
export function isUnencrypted(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !/^(localhost$|127\.|\[::1\]$)/.test(hostname);
}

/**
 * Returns the URL of a server's site, without `/api` and `/v1` at its end. `toSiteUrl` of the SDK does the same, but
 * loading the SDK would slow each start. Throws `UsageError` for a text that is no URL.
 */
function parseBaseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    const isHost = /^[\w.-]+(:\d+)?(\/.*)?$/.test(text);
    const scheme = /^(localhost|127\.|\[?::1)/.test(text) ? "http" : "https";
    const hint = isHost ? `--base-url ${scheme}://${text}` : "--base-url https://feather.example";
    throw new UsageError(`${text} is not an address of a server`, hint);
  }
  return text.replace(/\/+$/, "").replace(/(\/api)?(\/v1)?$/, "");
}
