import type { Logger } from "pino";
import type { Gateway } from "../../gateway/index.ts";
import type { CurrentPlan, PlansRepository } from "../../money/plans/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Events } from "../../platform/core/events.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { HostedModel, Runtimes } from "../runtimes/index.ts";
import type { DeployableModels } from "./deployable-models.ts";
import { deploymentCallRoutes } from "./deployment-calls.routes.ts";
import { createDeploymentServices } from "./deployment-services.ts";
import { deploymentRoutes } from "./deployments.routes.ts";
import type { ClusterProvider } from "./kubernetes/kubernetes-provider.ts";
import { createLocalProvider } from "./local/local-provider.ts";
import { podFileRoutes } from "./pod-files/pod-files.routes.ts";
import { createPodFiles, type FindModelFile } from "./pod-files/pod-files.ts";

type Ports = {
  db: Database;
  models: DeployableModels;
  hosting: {
    /** The programs that run models on this machine. */
    runtimes: Runtimes;
    /** Returns a model that the server hosts; null if there is none or the organization may not use it. */
    findForOrganization(key: string, organizationId: string): HostedModel | null;
    findModelFile: FindModelFile;
  };
  plansRepository: PlansRepository;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  gateway: Pick<Gateway, "runCall" | "createRoute">;
  audit: Audit;
  events: Events;
  clock: Clock;
  ids: Ids;
  log: Logger;
  publicUrl: string;
  limits: RateLimiter;
  lifecycle: { readonly draining: boolean };
  /** The provider that runs deployments in a cluster; null if none is configured. */
  cluster: ClusterProvider | null;
  /**
   * Returns the key of the public or private model that the server itself runs in the cluster under this id; null if there
   * is none.
   */
  findHostedKey(id: string): string | null;
};

/** Creates private deployments of models: their administration, their reconciler, and the calls to them. */
export function createDeploymentsModule(ports: Ports) {
  const { hosting, clock, publicUrl, lifecycle, cluster, limits } = ports;
  const localProvider = createLocalProvider({
    runtimes: hosting.runtimes,
    findModel: hosting.findForOrganization,
    clock,
  });
  const { jobs, ...services } = createDeploymentServices({
    ...ports,
    deploymentProviders: cluster ? [localProvider, cluster] : [localProvider],
  });
  const podFiles = createPodFiles({ ...ports, ...services, findModelFile: hosting.findModelFile });
  return {
    routes: {
      ...deploymentRoutes({ services, publicUrl, lifecycle }),
      ...deploymentCallRoutes({ services }),
      ...podFileRoutes({ podFiles, limits }),
    },
    jobs,
    api: services,
  };
}
export type { DeploymentLoad, ObservedStatus } from "./decide.ts";
export { listDeploymentAttention } from "./deployment-attention.ts";
export { gpusOf, type Hardware, runtimeOf as podRuntimeOf } from "./kubernetes/hardware.ts";
export { createKubernetes } from "./kubernetes/index.ts";
export type { ClusterProvider } from "./kubernetes/kubernetes-provider.ts";
export type { DeploymentProvider, DeploymentSpec, Observed } from "./provider.ts";
export { createReconciler, type ReconciledDeployment, type ReconcilerStore } from "./reconciler.ts";
