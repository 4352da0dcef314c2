import { type AnyCommand, entry } from "../../command.ts";
import { appsCreate } from "./create.ts";
import { appsDelete } from "./delete.ts";
import { appsList } from "./list.ts";
import { appsRotateSecret } from "./rotate-secret.ts";
import { appsShow } from "./show.ts";
import { appsDisable, appsEnable } from "./switch.ts";
import { appsUpdate } from "./update.ts";

/** The commands of `apps`. */
export const commands: readonly AnyCommand[] = [
  entry(appsList),
  entry(appsShow),
  entry(appsCreate),
  entry(appsUpdate),
  entry(appsEnable),
  entry(appsDisable),
  entry(appsRotateSecret),
  entry(appsDelete),
];
