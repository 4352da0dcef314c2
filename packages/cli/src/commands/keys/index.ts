import { type AnyCommand, entry } from "../../command.ts";
import { keysCreate } from "./create.ts";
import { keysDelete } from "./delete.ts";
import { keysList } from "./list.ts";
import { keysRename } from "./rename.ts";

export const commands: readonly AnyCommand[] = [
  entry(keysList),
  entry(keysCreate),
  entry(keysRename),
  entry(keysDelete),
];
