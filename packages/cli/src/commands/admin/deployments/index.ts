import { type AnyCommand, defineCommand } from "../../../command.ts";
import { adminDeploymentsList } from "./list.ts";
import { adminDeploymentsRedeploy } from "./redeploy.ts";
import { adminDeploymentsShow } from "./show.ts";

/** The commands of `admin deployments`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(adminDeploymentsList),
  defineCommand(adminDeploymentsShow),
  defineCommand(adminDeploymentsRedeploy),
];
