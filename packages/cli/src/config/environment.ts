import { homedir } from "node:os";
import { join } from "node:path";
import type { ProxySettings } from "../network/proxy-address.ts";

/** The environment's settings, read once at the start. */
export type Environment = {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly token: string | undefined;
  readonly profile: string | undefined;
  /** Folder of the configuration file. */
  readonly configDir: string;
  /** Folder of the cache, which may be deleted at any time. */
  readonly cacheDir: string;
  /** Whether `NO_COLOR`, `FORCE_COLOR` or `CLICOLOR` turn colour on or off; undefined when none decides. */
  readonly color: boolean | undefined;
  readonly ci: boolean;
  /** The job of GitHub Actions that runs the program: the folder of its checkout, and the file of its summary; undefined elsewhere. */
  readonly githubJob: GitHubJob | undefined;
  /** Whether each request is reported. */
  readonly debug: boolean;
  /** Whether prompts must not be stored for later conversations. */
  readonly noHistory: boolean;
  /** Whether newer versions must not be looked up or announced. */
  readonly noUpdateNotice: boolean;
  /** Whether a coding agent runs the program. */
  readonly agent: boolean;
  /** Columns of a simulated terminal, for screenshots and tests; undefined for none. */
  readonly forcedColumns: number | undefined;
  readonly dumb: boolean;
  /** Whether the terminal supports Unicode. */
  readonly unicode: boolean;
  /** Whether a browser can probably open on this machine's screen. */
  readonly browser: boolean;
  /** The command that edits a file, which is appended to it. */
  readonly editor: string;
  /** Whether a proxy is configured. */
  readonly usesProxy: boolean;
  readonly proxies: ProxySettings;
};

/** Paths that GitHub Actions gives to the steps of a job; undefined where it gives none. */
export type GitHubJob = { readonly workspace: string | undefined; readonly summaryFile: string | undefined };

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the environment variables. An empty variable counts as not set. */
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
    color: resolveColor(get),
    ci: isOn(get("CI")),
    githubJob: isOn(get("GITHUB_ACTIONS"))
      ? { workspace: get("GITHUB_WORKSPACE"), summaryFile: get("GITHUB_STEP_SUMMARY") }
      : undefined,
    debug: isOn(get("FEATHER_DEBUG")),
    noHistory: isOn(get("FEATHER_NO_HISTORY")),
    noUpdateNotice: isOn(get("FEATHER_NO_UPDATE_NOTICE")) || isOn(get("DO_NOT_TRACK")),
    agent: AGENTS.some((name) => isOn(get(name))),
    forcedColumns: forcedColumns(get("FEATHER_FORCE_TTY")),
    dumb,
    unicode: !dumb && supportsUnicode(get, platform),
    browser: hasBrowser(get, platform),
    editor: get("VISUAL") ?? get("EDITOR") ?? (platform === "win32" ? "notepad" : "vi"),
    proxies: {
      http: withScheme(get("http_proxy") ?? get("HTTP_PROXY")),
      https: withScheme(get("https_proxy") ?? get("HTTPS_PROXY")),
      none: (get("no_proxy") ?? get("NO_PROXY") ?? "").split(/[\s,]+/).filter((entry) => entry !== ""),
    },
    usesProxy: ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].some((name) => get(name) !== undefined),
  };
}

/** Adds `http://` to a proxy that is given as `host:port`, as curl takes it. */
function withScheme(proxy: string | undefined): string | undefined {
  return proxy === undefined || /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

/** Variables that coding agents set for the programs that they run. */
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

/** See no-color.org, force-color.org and bixense.com/clicolors; variables that turn colour off take precedence. */
function resolveColor(get: (name: string) => string | undefined): boolean | undefined {
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

function supportsUnicode(get: (name: string) => string | undefined, platform: string): boolean {
  if (platform === "win32") return get("WT_SESSION") !== undefined || get("TERM_PROGRAM") === "vscode";
  if (get("TERM") === "linux") return false;
  return /utf-?8/i.test(get("LC_ALL") ?? get("LC_CTYPE") ?? get("LANG") ?? "");
}
