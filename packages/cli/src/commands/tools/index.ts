import { type AnyCommand, defineCommand } from "../../command.ts";
import { toolsCall } from "./call.ts";
import { toolsCalls } from "./calls.ts";
import { toolsList } from "./list.ts";
import { toolServersAdd } from "./servers/add.ts";
import { toolServersList } from "./servers/list.ts";
import { toolServersRemove } from "./servers/remove.ts";
import { toolServersShow } from "./servers/show.ts";

/** The commands of `tools`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(toolsList),
  defineCommand(toolsCall),
  defineCommand(toolsCalls),
  defineCommand(toolServersList),
  defineCommand(toolServersAdd),
  defineCommand(toolServersShow),
  defineCommand(toolServersRemove),
];
