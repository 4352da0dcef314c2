import { type AnyCommand, entry } from "../../command.ts";
import { keysCreate } from "./create.ts";
import { keysDelete } from "./delete.ts";
import { keysList } from "./list.ts";
import { keysRename } from "./rename.ts";
import { keysRotate } from "./rotate.ts";
import { keysShow } from "./show.ts";
import { keysUpdate } from "./update.ts";

/** The commands of `keys`. */
export const commands: readonly AnyCommand[] = [
  entry(keysList),
  entry(keysShow),
  entry(keysCreate),
  entry(keysUpdate),
  entry(keysRename),
  entry(keysRotate),
  entry(keysDelete),
];
