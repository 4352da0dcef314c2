import { statSync } from "node:fs";
import { configPath, readConfig, restrictPermissions } from "../../config/config-file.ts";
import { isUnencrypted, type Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { type Check, fail, ok, warn } from "./check.ts";

/** Checks what needs no network: the program, the terminal and the configuration. */
export function checkMachine(context: Context): readonly Check[] {
  return [checkProgram(context), checkTerminal(context), checkConfiguration(context)];
}

function checkProgram({ version }: Context): Check {
  return ok("program", `feather ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}`);
}

function checkTerminal({ io, output, interactive }: Context): Check {
  const { env, stdout } = io;
  const environment = env.agent
    ? "a coding agent"
    : env.ci
      ? "CI"
      : output.tty
        ? `a terminal of ${stdout.columns ?? 80} columns`
        : "a pipe";
  const capabilities = [
    interactive ? "can ask" : "asks nothing",
    output.style.color ? "colour" : "no colour",
    env.unicode ? "Unicode" : "ASCII only",
  ].join(", ");
  if (output.tty && !env.unicode && !env.dumb && io.env.ci === false)
    return warn(
      "terminal",
      `${environment}; ${capabilities}`,
      "set LANG to a UTF-8 locale, such as C.UTF-8, if your terminal shows it",
    );
  return ok("terminal", `${environment}; ${capabilities}`);
}

function checkConfiguration({ io }: Context): Check {
  const path = configPath(io.env.configDir);
  try {
    const { profiles, current } = readConfig(io.env.configDir);
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return ok("configuration", `no file yet (${path})`);
    if (restrictPermissions(io.env.configDir))
      return warn(
        "configuration",
        `others could read ${path}; it is closed to them now`,
        "feather logout and sign in again, if somebody may have",
      );
    const names = Object.keys(profiles);
    return ok(
      "configuration",
      `${path}, mode 0600, ${names.length} profile${names.length === 1 ? "" : "s"}, ${current} in use`,
    );
  } catch (error) {
    return fail(
      "configuration",
      error instanceof Error ? error.message : String(error),
      "repair or remove the file, then feather login",
    );
  }
}

/** Checks the address of the server, and says which setting it comes from. */
export function checkAddress({ io, flags }: Context, { baseUrl, profile }: Settings): Check {
  const source =
    flags.baseUrl !== undefined
      ? "--base-url"
      : io.env.baseUrl !== undefined
        ? "FEATHER_BASE_URL"
        : `profile ${profile}`;
  if (isUnencrypted(baseUrl))
    return warn(
      "address",
      `${baseUrl}, by ${source}: nothing is encrypted on the way`,
      "use https:// if the server has it",
    );
  return ok("address", `${baseUrl}, by ${source}`);
}
