import { type AnyCommand, defineCommand } from "../../command.ts";
import { appsCreate } from "./create.ts";
import { appsDelete } from "./delete.ts";
import { appsList } from "./list.ts";
import { appsRotateSecret } from "./rotate-secret.ts";
import { appsShow } from "./show.ts";
import { appsDisable, appsEnable } from "./status.ts";
import { appsUpdate } from "./update.ts";

/** The commands of `apps`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(appsList),
  defineCommand(appsShow),
  defineCommand(appsCreate),
  defineCommand(appsUpdate),
  defineCommand(appsEnable),
  defineCommand(appsDisable),
  defineCommand(appsRotateSecret),
  defineCommand(appsDelete),
];
