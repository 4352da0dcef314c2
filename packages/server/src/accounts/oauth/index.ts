import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { ApplicationsRepository } from "../applications/index.ts";
import type { ToUserDto } from "../identity/index.ts";
import { createOAuthRoutes } from "./oauth.routes.ts";
import { createOAuth } from "./oauth.ts";

export { createAccessTokenAuthenticator } from "./access-tokens.ts";
export { deleteUserGrants } from "./delete-user-grants.ts";

type Ports = {
  db: Database;
  applicationsRepository: ApplicationsRepository;
  toUserDto: ToUserDto;
  limits: RateLimiter;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  publicUrl: string;
  /** Clears the cache of API keys, so that keys which an application created end immediately. */
  invalidateApiKeys(): void;
};

/** Creates the authorization server: consent, codes, tokens and devices. */
export function createOAuthModule(ports: Ports) {
  const { job, ...oauth } = createOAuth(ports);
  return { routes: createOAuthRoutes({ ...ports, oauth }), jobs: [job], api: {} };
}
