import { type AnyCommand, defineCommand } from "../../../command.ts";
import { adminModelsCreate } from "./create.ts";
import { adminModelsDelete } from "./delete.ts";
import { adminModelsList } from "./list.ts";
import { adminModelsProbe } from "./probe.ts";
import { adminModelsRedeploy } from "./redeploy.ts";
import { adminModelsUpdate } from "./update.ts";

/** The commands of `admin models`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(adminModelsList),
  defineCommand(adminModelsCreate),
  defineCommand(adminModelsUpdate),
  defineCommand(adminModelsDelete),
  defineCommand(adminModelsRedeploy),
  defineCommand(adminModelsProbe),
];
