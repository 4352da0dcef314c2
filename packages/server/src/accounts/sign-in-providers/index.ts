import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { DeviceCookie } from "../../platform/core/http/device-cookie.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { SessionCookie } from "../../platform/core/http/session-cookie.ts";
import { HOUR_S } from "../../platform/core/time.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { Identity, OnRegistered } from "../identity/index.ts";
import type { ApprovalUseCases, Registration } from "../registration/index.ts";
import { createLinkedAccountsRepository } from "./linked-accounts.repository.ts";
import { createProviderLinking } from "./linking.usecases.ts";
import { createProviders } from "./providers.ts";
import { createProviderSignInRoutes } from "./sign-in-providers.routes.ts";
import type { SignInProviderSettings } from "./sign-in-providers.settings.ts";
import { createProviderSignIn } from "./sign-in-providers.usecases.ts";

type Ports = {
  db: Database;
  identity: Identity;
  registration: Registration;
  approvals: ApprovalUseCases;
  onRegistered: OnRegistered;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  limits: RateLimiter;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
  publicUrl: string;
  settings: SignInProviderSettings;
};

/** Creates sign-in with other providers, such as GitHub or a company's own. */
export function createSignInProvidersModule({ identity, registration, settings, ...ports }: Ports) {
  const { db, clock, publicUrl } = ports;
  const linkedAccountsRepository = createLinkedAccountsRepository(db);
  const shared = { ...ports, ...identity, ...registration, identity: identity.auth, linkedAccountsRepository };
  const providerSignIn = createProviderSignIn({
    ...shared,
    providers: createProviders(settings.providers),
    linking: createProviderLinking({ ...shared, identity: identity.usersRepository }),
  });
  return {
    routes: createProviderSignInRoutes({ ...shared, providerSignIn, secureCookies: publicUrl.startsWith("https:") }),
    jobs: [
      {
        name: "delete ended visits to sign-in providers",
        everySeconds: HOUR_S,
        run: async () => void (await linkedAccountsRepository.deleteExpiredVisits(clock.now())),
      },
    ],
    api: {},
  };
}
