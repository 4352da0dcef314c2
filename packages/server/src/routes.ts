import type { Dependencies } from "./dependencies.ts";
import { concurrencyRoutes } from "./gateway/concurrency.routes.ts";
import { gatewayRoutes } from "./gateway/gateway.routes.ts";
import type { Handlers } from "./http/bind.ts";
import { apiKeyRoutes } from "./modules/api-keys/api-keys.routes.ts";
import { createApplicationRoutes } from "./modules/applications/applications.routes.ts";
import { createAuditRoutes } from "./modules/audit/audit.routes.ts";
import { backendRoutes } from "./modules/backends/backends.routes.ts";
import { paymentRoutes } from "./modules/billing/payments.routes.ts";
import { adminSubscriptionRoutes } from "./modules/billing/subscriptions.admin.routes.ts";
import { subscriptionRoutes } from "./modules/billing/subscriptions.routes.ts";
import { testPaymentRoutes } from "./modules/billing/test-payments.routes.ts";
import { adminModelRoutes } from "./modules/catalogue/admin-models.routes.ts";
import { catalogueRoutes } from "./modules/catalogue/catalogue.routes.ts";
import { reviewRoutes } from "./modules/catalogue/reviews.routes.ts";
import { creditRoutes } from "./modules/credits/credits.routes.ts";
import { deploymentCallRoutes } from "./modules/deployments/deployment-calls.routes.ts";
import { deploymentRoutes } from "./modules/deployments/deployments.routes.ts";
import { createAccountRoutes } from "./modules/identity/account.routes.ts";
import { createAuthRoutes } from "./modules/identity/auth.routes.ts";
import { createPasskeyRoutes } from "./modules/identity/passkeys.routes.ts";
import { createSecurityRoutes } from "./modules/identity/security.routes.ts";
import { marketplaceRoutes } from "./modules/marketplace/marketplace.routes.ts";
import { redeployRoutes } from "./modules/model-host/redeploy.routes.ts";
import { storeRoutes } from "./modules/model-store/store.routes.ts";
import { createOAuthRoutes } from "./modules/oauth/oauth.routes.ts";
import { organizationRoutes } from "./modules/organizations/organizations.routes.ts";
import { createPeopleRoutes } from "./modules/people/people.routes.ts";
import { planRoutes } from "./modules/plans/plans.routes.ts";
import { priceRoutes } from "./modules/prices/prices.routes.ts";
import { privateModelRoutes } from "./modules/private-models/private-models.routes.ts";
import { referralRoutes } from "./modules/referrals/referrals.routes.ts";
import { createRegistrationRoutes } from "./modules/registration/registration.routes.ts";
import { routeRuleRoutes } from "./modules/route-rules/route-rules.routes.ts";
import { createProviderSignInRoutes } from "./modules/sign-in-providers/sign-in-providers.routes.ts";
import { incidentRoutes } from "./modules/status/incidents.routes.ts";
import { statusRoutes } from "./modules/status/status.routes.ts";
import { outboxRoutes } from "./modules/system/outbox.routes.ts";
import { settingsRoutes } from "./modules/system/settings.routes.ts";
import { systemRoutes } from "./modules/system/system.routes.ts";
import { usageRoutes } from "./modules/usage/usage.routes.ts";

/** The handlers of all modules by operationId. */
export function createHandlers(deps: Dependencies): Handlers {
  return {
    ...systemRoutes(deps.system),
    ...createAuthRoutes(deps),
    ...createSecurityRoutes(deps),
    ...createPasskeyRoutes(deps),
    ...createAccountRoutes(deps),
    ...createProviderSignInRoutes(deps),
    ...planRoutes({ ...deps, settings: deps.settings.billing }),
    ...subscriptionRoutes(deps),
    ...adminSubscriptionRoutes(deps),
    ...paymentRoutes(deps),
    ...testPaymentRoutes(deps),
    ...referralRoutes(deps),
    ...marketplaceRoutes(deps),
    ...apiKeyRoutes(deps),
    ...createApplicationRoutes(deps),
    ...createOAuthRoutes(deps),
    ...organizationRoutes(deps),
    ...createPeopleRoutes(deps),
    ...createRegistrationRoutes(deps),
    ...createAuditRoutes(deps),
    ...catalogueRoutes(deps),
    ...reviewRoutes(deps),
    ...adminModelRoutes(deps),
    ...gatewayRoutes(deps),
    ...concurrencyRoutes(deps),
    ...creditRoutes(deps),
    ...priceRoutes(deps),
    ...usageRoutes(deps),
    ...statusRoutes(deps),
    ...incidentRoutes(deps),
    ...routeRuleRoutes(deps),
    ...backendRoutes(deps),
    ...storeRoutes(deps),
    ...redeployRoutes(deps),
    ...privateModelRoutes(deps),
    ...deploymentRoutes(deps),
    ...deploymentCallRoutes(deps),
    ...settingsRoutes(deps),
    ...outboxRoutes({ ...deps, settings: deps.settings.mail }),
  };
}
