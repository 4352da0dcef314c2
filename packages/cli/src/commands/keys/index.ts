import { type AnyCommand, defineCommand } from "../../command.ts";
import { keysCreate } from "./create.ts";
import { keysDelete } from "./delete.ts";
import { keysList } from "./list.ts";
import { keysRename } from "./rename.ts";
import { keysRotate } from "./rotate.ts";
import { keysShow } from "./show.ts";
import { keysUpdate } from "./update.ts";

/** The commands of `keys`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(keysList),
  defineCommand(keysShow),
  defineCommand(keysCreate),
  defineCommand(keysUpdate),
  defineCommand(keysRename),
  defineCommand(keysRotate),
  defineCommand(keysDelete),
];
