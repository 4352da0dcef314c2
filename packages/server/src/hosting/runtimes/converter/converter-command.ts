import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { SettingsError } from "../../../platform/core/settings.ts";
import { findCommand } from "../processes/find-command.ts";

/** The command of llama.cpp's converter. */
export type ConverterCommand = {
  /** The path of the program. */
  command: string;
  args: readonly string[];
  /** The program and the files among its arguments. */
  files: readonly string[];
  /** The folders of these files, in which their modules and libraries may be. */
  folders: readonly string[];
};

const PYTHON = "python3";

/**
 * Returns the command in a setting: a Python script, or a program and its arguments, separated by spaces. Throws a
 * SettingsError if the program or the script does not exist.
 */
export function findConverter(setting: string, path: string | undefined): ConverterCommand {
  const words = isFile(setting) ? [setting] : setting.split(/\s+/);
  const [program = "", ...args] = words.length === 1 && setting.endsWith(".py") ? [PYTHON, ...words] : words;
  const command = findCommand(program, path ?? "");
  if (command === null) throw new SettingsError(`FEATHER_GGUF_CONVERTER needs ${program}, which is no command here.`);
  const missing = args.find((word) => word.endsWith(".py") && !isFile(word));
  if (missing !== undefined) throw new SettingsError(`FEATHER_GGUF_CONVERTER names ${missing}, which is no file.`);
  const absolute = args.map((word) => (isFile(word) ? resolve(word) : word));
  const files = [resolve(command), ...absolute.filter(isFile)];
  return { command: resolve(command), args: absolute, files, folders: [...new Set(files.map(folderOf))] };
}

/**
 * Returns the folder of a file. For a program in a `bin` folder, returns the installation's folder, in which its libraries
 * are.
 */
function folderOf(file: string): string {
  const folder = dirname(file);
  const isInstallation = basename(folder) === "bin" && dirname(folder) !== "/";
  return isInstallation ? dirname(folder) : folder;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
