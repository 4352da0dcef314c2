import { homedir } from "node:os";
import { join } from "node:path";

/** What the environment says, read once at the start. */
export type Environment = {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly token: string | undefined;
  readonly profile: string | undefined;
  /** Folder of the configuration file. */
  readonly configDir: string;
  readonly noColor: boolean;
  readonly forceColor: boolean;
  readonly ci: boolean;
  readonly dumb: boolean;
  /** Whether the terminal shows more than ASCII. */
  readonly unicode: boolean;
  /** Whether a browser could open on the screen of whoever sits here. */
  readonly browser: boolean;
  /** Whether requests go through a proxy. */
  readonly proxied: boolean;
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
    noColor: get("NO_COLOR") !== undefined,
    forceColor: get("FORCE_COLOR") !== undefined && get("FORCE_COLOR") !== "0",
    ci: get("CI") !== undefined && get("CI") !== "false" && get("CI") !== "0",
    dumb,
    unicode: !dumb && showsUnicode(get, platform),
    browser: hasBrowser(get, platform),
    proxied: ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].some((name) => get(name) !== undefined),
  };
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
