import type { Audit } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import type { Hub } from "../hub/index.ts";
import type { Hosting } from "../model-host/index.ts";
import type { PlansRepository } from "../plans/index.ts";
import { createPrivateModelsRepository } from "./private-models.repository.ts";
import { privateModelRoutes } from "./private-models.routes.ts";
import { createPrivateModels } from "./private-models.usecases.ts";

type Ports = {
  db: Database;
  hub: Hub;
  hosting: Hosting;
  plansRepository: PlansRepository;
  /** The number of deployments of a model, by its key. */
  countDeployments(modelKey: string, trx: Database): Promise<number>;
  /** Makes a change of a model take effect at once for calls. */
  invalidateModels(): void;
  audit: Audit;
  clock: Clock;
};

/** Creates the models that organizations bring themselves. */
export function createPrivateModelsModule(ports: Ports) {
  const privateModels = createPrivateModels({
    ...ports,
    privateModelsRepository: createPrivateModelsRepository(ports.db),
  });
  return { routes: privateModelRoutes({ privateModels, hosting: ports.hosting }), jobs: [], api: {} };
}
