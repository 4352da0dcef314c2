import type { PlansRepository } from "../../money/plans/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Hosting } from "../hosts/index.ts";
import type { Hub } from "../hub/index.ts";
import { createPrivateModelsRepository } from "./private-models.repository.ts";
import { privateModelRoutes } from "./private-models.routes.ts";
import { createPrivateModels } from "./private-models.usecases.ts";

type Ports = {
  db: Database;
  hub: Hub;
  hosting: Hosting;
  plansRepository: PlansRepository;
  /** Returns the number of deployments of the model with this key. */
  countDeployments(modelKey: string, trx: Database): Promise<number>;
  /** Clears the cache of models, so that calls use the changed model immediately. */
  invalidateModels(): void;
  audit: Audit;
  clock: Clock;
};

/** Creates the module for models that organizations add. */
export function createPrivateModelsModule(ports: Ports) {
  const privateModels = createPrivateModels({
    ...ports,
    privateModelsRepository: createPrivateModelsRepository(ports.db),
  });
  return { routes: privateModelRoutes({ privateModels, hosting: ports.hosting }), jobs: [], api: {} };
}
