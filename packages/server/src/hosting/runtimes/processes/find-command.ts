import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns the path of a command, which is given by its name or path; null if there is no executable file. */
export function findCommand(command: string, path: string): string | null {
  if (command.includes("/")) return isExecutable(command) ? command : null;
  return (
    path
      .split(delimiter)
      .filter((folder) => folder !== "")
      .map((folder) => join(folder, command))
      .find(isExecutable) ?? null
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
