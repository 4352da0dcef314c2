import { type AnyCommand, entry } from "../../../command.ts";
import { adminDeploymentsList } from "./list.ts";
import { adminDeploymentsRedeploy } from "./redeploy.ts";

export const commands: readonly AnyCommand[] = [entry(adminDeploymentsList), entry(adminDeploymentsRedeploy)];
