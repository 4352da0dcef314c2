import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Mail } from "../../platform/mail/index.ts";
import { createApplicationsRepository } from "./applications.repository.ts";
import { createApplicationRoutes } from "./applications.routes.ts";
import { createApplicationUseCases } from "./applications.usecases.ts";

type Ports = {
  db: Database;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  productName: string;
  /** Whether an admin must approve new applications. */
  isReviewRequired: boolean;
  /** Clears the cache of API keys, so that keys which an application created end immediately. */
  invalidateApiKeys(): void;
};

/** Creates the OAuth applications that organizations register. */
export function createApplicationsModule(ports: Ports) {
  const applicationsRepository = createApplicationsRepository(ports.db);
  const applications = createApplicationUseCases({ ...ports, applicationsRepository });
  return {
    routes: createApplicationRoutes({ applications, applicationsRepository }),
    jobs: [],
    api: { applicationsRepository },
  };
}
export type { ApplicationRow, ApplicationsRepository } from "./applications.repository.ts";
export { addQueryParameters, isRegisteredRedirectUri } from "./redirect-uris.ts";
export { isVerified } from "./verification.ts";
