import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { SettingsError } from "../../core/settings.ts";
import { findCommand } from "../find-command.ts";

/** The command of llama.cpp's converter. */
export type ConverterCommand = {
  /** The path of the program. */
  command: string;
  args: readonly string[];
  /** The program, and the files among its arguments. */
  files: readonly string[];
  /** The folders of these files, which may have modules and libraries beside them. */
  folders: readonly string[];
};

const PYTHON = "python3";

/**
 * Returns the command that the setting names: a Python script, or a program and its arguments, divided by spaces. Throws a
 * SettingsError if the program or the script is not there.
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

/** Returns the folder of a file; that of the installation for a program in its `bin`, which has its libraries beside that. */
function folderOf(file: string): string {
  const folder = dirname(file);
  const isInstallation = basename(folder) === "bin" && dirname(folder) !== "/";
  return isInstallation ? dirname(folder) : folder;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
