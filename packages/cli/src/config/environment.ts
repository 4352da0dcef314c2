import { homedir } from "node:os";
import { join } from "node:path";
import type { Proxies } from "../proxy-address.ts";

/** What the environment says, read once at the start. */
export type Environment = {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly token: string | undefined;
  readonly profile: string | undefined;
  /** Folder of the configuration file. */
  readonly configDir: string;
  /** Folder of what may be lost at any time. */
  readonly cacheDir: string;
  /** What `NO_COLOR`, `FORCE_COLOR` and `CLICOLOR` say; undefined when they leave it to the place. */
  readonly color: boolean | undefined;
  readonly ci: boolean;
  /** Whether prompts of conversations are not to be kept for the next one. */
  readonly noHistory: boolean;
  /** Whether nobody is to be told of newer versions, nor are they to be looked up. */
  readonly noUpdateNotice: boolean;
  /** Whether a coding agent runs the program. */
  readonly agent: boolean;
  /** Columns of a terminal that is to be pretended, for pictures and tests. */
  readonly forcedColumns: number | undefined;
  readonly dumb: boolean;
  /** Whether the terminal shows more than ASCII. */
  readonly unicode: boolean;
  /** Whether a browser could open on the screen of whoever sits here. */
  readonly browser: boolean;
  /** Whether requests go through a proxy. */
  readonly proxied: boolean;
  readonly proxies: Proxies;
};

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the variables that the program knows. An empty variable counts as not set. */
export function readEnvironment(variables: Variables = process.env, platform: string = process.platform): Environment {
  const get = (name: string): string | undefined => variables[name] || undefined;
  const dumb = get("TERM") === "dumb";
  return {
    baseUrl: get("FEATHER_BASE_URL"),
    apiKey: get("FEATHER_API_KEY"),
    token: get("FEATHER_TOKEN"),
    profile: get("FEATHER_PROFILE"),
    configDir: get("FEATHER_CONFIG_DIR") ?? defaultConfigDir(get, platform),
    cacheDir: get("FEATHER_CACHE_DIR") ?? join(get("XDG_CACHE_HOME") ?? join(homedir(), ".cache"), "feather"),
    color: wantedColor(get),
    ci: isOn(get("CI")),
    noHistory: isOn(get("FEATHER_NO_HISTORY")),
    noUpdateNotice: isOn(get("FEATHER_NO_UPDATE_NOTICE")) || isOn(get("DO_NOT_TRACK")),
    agent: AGENTS.some((name) => isOn(get(name))),
    forcedColumns: forcedColumns(get("FEATHER_FORCE_TTY")),
    dumb,
    unicode: !dumb && showsUnicode(get, platform),
    browser: hasBrowser(get, platform),
    proxies: {
      http: get("http_proxy") ?? get("HTTP_PROXY"),
      https: get("https_proxy") ?? get("HTTPS_PROXY"),
      none: (get("no_proxy") ?? get("NO_PROXY") ?? "").split(/[\s,]+/).filter((entry) => entry !== ""),
    },
    proxied: ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].some((name) => get(name) !== undefined),
  };
}

/** Variables that coding agents set for the programs they run. */
const AGENTS = [
  "AI_AGENT",
  "AGENT",
  "CLAUDECODE",
  "CLINE_ACTIVE",
  "CODEX_SANDBOX",
  "CODEX_THREAD_ID",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "OPENCODE",
];

const isOn = (value: string | undefined): boolean => value !== undefined && value !== "0" && value !== "false";

/** See no-color.org, force-color.org and bixense.com/clicolors; what turns colour off goes first. */
function wantedColor(get: (name: string) => string | undefined): boolean | undefined {
  if (get("NO_COLOR") !== undefined) return false;
  const force = get("FORCE_COLOR") ?? get("CLICOLOR_FORCE");
  if (force !== undefined) return isOn(force) ? true : get("FORCE_COLOR") === undefined ? undefined : false;
  return get("CLICOLOR") === "0" ? false : undefined;
}

function forcedColumns(value: string | undefined): number | undefined {
  if (!isOn(value)) return undefined;
  const columns = Number(value);
  return Number.isInteger(columns) && columns > 1 ? columns : 80;
}

function defaultConfigDir(get: (name: string) => string | undefined, platform: string): string {
  const base =
    get("XDG_CONFIG_HOME") ?? (platform === "win32" ? get("APPDATA") : undefined) ?? join(homedir(), ".config");
  return join(base, "feather");
}

function hasBrowser(get: (name: string) => string | undefined, platform: string): boolean {
  if (["SSH_CONNECTION", "SSH_TTY"].some((name) => get(name) !== undefined)) return false;
  const screens = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"];
  return platform !== "linux" || screens.some((name) => get(name) !== undefined);
}

function showsUnicode(get: (name: string) => string | undefined, platform: string): boolean {
  if (platform === "win32") return get("WT_SESSION") !== undefined || get("TERM_PROGRAM") === "vscode";
  if (get("TERM") === "linux") return false;
  return /utf-?8/i.test(get("LC_ALL") ?? get("LC_CTYPE") ?? get("LANG") ?? "");
}
