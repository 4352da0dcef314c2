import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Ids } from "../../shared/ids.ts";
import type { ApplicationsRepository } from "../applications/applications.repository.ts";
import type { Audit } from "../audit/audit.ts";
import { createConsent } from "./authorize.usecases.ts";
import { createClients } from "./clients.ts";
import { createDevices } from "./device.usecases.ts";
import { createOAuthRepository } from "./oauth.repository.ts";
import { createTokens } from "./token.usecases.ts";

type Deps = {
  db: Database;
  applications: ApplicationsRepository;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  publicUrl: string;
};

/** Builds the OAuth provider: client authentication, consent, tokens, device flow and the clean-up job. */
export function createOAuth(deps: Deps) {
  const { db, clock } = deps;
  const issuer = deps.publicUrl.replace(/\/+$/, "");
  const rows = createOAuthRepository(db);
  return {
    issuer,
    rows,
    clients: createClients(deps),
    consent: createConsent({ ...deps, rows, issuer }),
    tokens: createTokens({ ...deps, rows }),
    devices: createDevices({ ...deps, rows, publicUrl: issuer }),
    job: { name: "forget ended OAuth codes and tokens", everySeconds: 3_600, run: () => rows.prune(clock.now()) },
  };
}

export type OAuth = ReturnType<typeof createOAuth>;
