import type { Logger } from "pino";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import { readBuiltInContent } from "./built-in-content.ts";
import { createContentRepository } from "./content.repository.ts";
import { contentRoutes } from "./content.routes.ts";
import { createContentUseCases } from "./content.usecases.ts";
import { createContentCatalogue } from "./content-catalogue.ts";
import { createContentFolder } from "./content-folder.ts";

export type { ListedContent } from "./content-catalogue.ts";
export { pathOf } from "./content-entry.ts";

type Ports = {
  db: Database;
  audit: Audit;
  clock: Clock;
  log: Logger;
  replicas: Replicas;
  dataDir: string;
  siteFolder: string;
};

/** Creates the blog and the operator's pages: what admins write, files of the data folder, and posts of the product. */
export function createContentModule({ dataDir, siteFolder, ...ports }: Ports) {
  const contentRepository = createContentRepository(ports.db);
  const catalogue = createContentCatalogue({
    ...ports,
    contentRepository,
    builtIn: readBuiltInContent(siteFolder),
    readFolder: createContentFolder({ ...ports, dataDir }),
  });
  const content = createContentUseCases({ ...ports, contentRepository, catalogue });
  return {
    routes: contentRoutes({ content, catalogue, clock: ports.clock }),
    jobs: [],
    api: { listPublished: catalogue.listPublished },
  };
}
