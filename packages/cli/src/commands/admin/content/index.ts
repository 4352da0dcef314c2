import { type AnyCommand, defineCommand } from "../../../command.ts";
import { contentDelete } from "./delete.ts";
import { contentList } from "./list.ts";
import { contentPublish } from "./publish.ts";
import { contentPut } from "./put.ts";
import { contentShow } from "./show.ts";

/** The commands of `admin content`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(contentList),
  defineCommand(contentShow),
  defineCommand(contentPut),
  defineCommand(contentPublish),
  defineCommand(contentDelete),
];
