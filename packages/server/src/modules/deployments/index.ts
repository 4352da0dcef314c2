import type { Logger } from "pino";
import type { Audit } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import type { Events } from "../../core/events.ts";
import type { Ids } from "../../core/ids.ts";
import type { StartEngine } from "../../engine/index.ts";
import type { Gateway } from "../../gateway/index.ts";
import type { CallableModels } from "../catalogue/index.ts";
import type { Hosting } from "../model-host/index.ts";
import type { CurrentPlan, PlansRepository } from "../plans/index.ts";
import { deploymentCallRoutes } from "./deployment-calls.routes.ts";
import { createDeploymentServices } from "./deployment-services.ts";
import { deploymentRoutes } from "./deployments.routes.ts";
import { createKubernetes, type HubForPods } from "./kubernetes/index.ts";
import type { KubernetesSettings } from "./kubernetes/kubernetes.settings.ts";
import { createLocalProvider } from "./local-provider.ts";

type Ports = {
  db: Database;
  models: CallableModels;
  hosting: Pick<Hosting, "memory" | "findForOrganization">;
  startEngine: StartEngine;
  plansRepository: PlansRepository;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  gateway: Pick<Gateway, "runCall" | "createRoute">;
  audit: Audit;
  events: Events;
  clock: Clock;
  ids: Ids;
  log: Logger;
  publicUrl: string;
  lifecycle: { readonly draining: boolean };
  /** The cluster that deployments can run in, too. */
  kubernetes: KubernetesSettings;
  /** Where pods of the cluster download models. */
  hub: HubForPods;
};

/** Creates private deployments of models: their administration, what keeps them running, and the calls to them. */
export function createDeploymentsModule(ports: Ports) {
  const { hosting, startEngine, clock, publicUrl, lifecycle, kubernetes, hub } = ports;
  const localProvider = createLocalProvider({
    start: startEngine,
    memory: hosting.memory,
    findModel: hosting.findForOrganization,
    clock,
  });
  const cluster = createKubernetes({ ...ports, settings: kubernetes, hub, findFile: hosting.findForOrganization });
  const { jobs, ...services } = createDeploymentServices({
    ...ports,
    deploymentProviders: cluster ? [localProvider, cluster] : [localProvider],
  });
  return {
    routes: { ...deploymentRoutes({ services, publicUrl, lifecycle }), ...deploymentCallRoutes({ services }) },
    jobs,
    api: services,
  };
}
