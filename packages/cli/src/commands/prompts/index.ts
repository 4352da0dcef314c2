import { type AnyCommand, defineCommand } from "../../command.ts";
import { promptsDelete } from "./delete.ts";
import { promptsExport } from "./export.ts";
import { promptsImport } from "./import.ts";
import { promptsList } from "./list.ts";
import { promptsSet } from "./set.ts";
import { promptsShow } from "./show.ts";

/** The commands of `prompts`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(promptsList),
  defineCommand(promptsShow),
  defineCommand(promptsSet),
  defineCommand(promptsDelete),
  defineCommand(promptsExport),
  defineCommand(promptsImport),
];
