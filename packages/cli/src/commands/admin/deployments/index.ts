import { type AnyCommand, entry } from "../../../command.ts";
import { adminDeploymentsList } from "./list.ts";
import { adminDeploymentsRedeploy } from "./redeploy.ts";
import { adminDeploymentsShow } from "./show.ts";

/** The commands of `admin deployments`. */
export const commands: readonly AnyCommand[] = [
  entry(adminDeploymentsList),
  entry(adminDeploymentsShow),
  entry(adminDeploymentsRedeploy),
];
