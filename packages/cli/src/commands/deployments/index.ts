import { type AnyCommand, defineCommand } from "../../command.ts";
import { deploymentsCreate } from "./create.ts";
import { deploymentsDelete } from "./delete.ts";
import { deploymentsList } from "./list.ts";
import { deploymentsLogs } from "./logs.ts";
import { deploymentsApply } from "./manifest/apply.ts";
import { deploymentsExport } from "./manifest/export.ts";
import { deploymentsMetrics } from "./metrics.ts";
import { deploymentsOpen } from "./open.ts";
import { deploymentsPause, deploymentsResume } from "./pause.ts";
import { deploymentsProviders } from "./providers.ts";
import { deploymentsRestart } from "./restart.ts";
import { deploymentsScale } from "./scale.ts";
import { deploymentsSchema } from "./schema.ts";
import { deploymentsShow } from "./show.ts";
import { deploymentsToken } from "./token.ts";
import { deploymentsWait } from "./wait.ts";

/** The commands of `deployments`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(deploymentsList),
  defineCommand(deploymentsShow),
  defineCommand(deploymentsCreate),
  defineCommand(deploymentsApply),
  defineCommand(deploymentsExport),
  defineCommand(deploymentsSchema),
  defineCommand(deploymentsScale),
  defineCommand(deploymentsPause),
  defineCommand(deploymentsResume),
  defineCommand(deploymentsRestart),
  defineCommand(deploymentsWait),
  defineCommand(deploymentsLogs),
  defineCommand(deploymentsMetrics),
  defineCommand(deploymentsOpen),
  defineCommand(deploymentsToken),
  defineCommand(deploymentsProviders),
  defineCommand(deploymentsDelete),
];
