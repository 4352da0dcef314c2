import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { HOUR_S } from "../../platform/core/time.ts";
import type { ApplicationsRepository } from "../applications/index.ts";
import { createConsentUseCases } from "./authorize.usecases.ts";
import { createClientAuthentication } from "./client-authentication.ts";
import { createDeviceUseCases } from "./device.usecases.ts";
import { createOAuthRepository } from "./oauth.repository.ts";
import { createTokenUseCases } from "./token.usecases.ts";

type Deps = {
  db: Database;
  applicationsRepository: ApplicationsRepository;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  publicUrl: string;
  /** Clears the cache of API keys, so that keys which an application created end immediately. */
  invalidateApiKeys(): void;
};

/** Builds the OAuth provider: client authentication, consent, tokens, device flow and the clean-up job. */
export function createOAuth(deps: Deps) {
  const { db, clock } = deps;
  const issuer = deps.publicUrl.replace(/\/+$/, "");
  const oauthRepository = createOAuthRepository(db);
  return {
    issuer,
    oauthRepository,
    clients: createClientAuthentication(deps),
    consent: createConsentUseCases({ ...deps, oauthRepository, issuer }),
    tokens: createTokenUseCases({ ...deps, oauthRepository }),
    devices: createDeviceUseCases({ ...deps, oauthRepository, publicUrl: issuer }),
    job: {
      name: "delete ended OAuth codes and tokens",
      everySeconds: HOUR_S,
      run: () => oauthRepository.deleteExpired(clock.now()),
    },
  };
}

export type OAuth = ReturnType<typeof createOAuth>;
