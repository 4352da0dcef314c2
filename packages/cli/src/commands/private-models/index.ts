import { type AnyCommand, defineCommand } from "../../command.ts";
import { privateModelsAdd } from "./add.ts";
import { privateModelsCompatibility } from "./compatibility.ts";
import { privateModelsDelete } from "./delete.ts";
import { privateModelsList } from "./list.ts";
import { privateModelsShow } from "./show.ts";
import { privateModelsUnload } from "./unload.ts";

/** The commands of `private-models`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(privateModelsList),
  defineCommand(privateModelsShow),
  defineCommand(privateModelsAdd),
  defineCommand(privateModelsCompatibility),
  defineCommand(privateModelsUnload),
  defineCommand(privateModelsDelete),
];
