import { type AnyCommand, defineCommand } from "../../command.ts";
import { collectionsAdd } from "./add.ts";
import { collectionsCreate } from "./create.ts";
import { collectionsDelete } from "./delete.ts";
import { collectionsDocuments } from "./documents.ts";
import { collectionsList } from "./list.ts";
import { collectionsRemove } from "./remove.ts";
import { collectionsSearch } from "./search.ts";
import { collectionsUpdate } from "./update.ts";

/** The commands of `collections`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(collectionsList),
  defineCommand(collectionsCreate),
  defineCommand(collectionsUpdate),
  defineCommand(collectionsAdd),
  defineCommand(collectionsDocuments),
  defineCommand(collectionsSearch),
  defineCommand(collectionsRemove),
  defineCommand(collectionsDelete),
];
