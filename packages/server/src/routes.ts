import type { Dependencies } from "./dependencies.ts";
import { gatewayRoutes } from "./gateway/gateway.routes.ts";
import type { Handlers } from "./http/bind.ts";
import { apiKeyRoutes } from "./modules/api-keys/api-keys.routes.ts";
import { catalogueRoutes } from "./modules/catalogue/catalogue.routes.ts";
import { reviewRoutes } from "./modules/catalogue/reviews.routes.ts";
import { identityRoutes } from "./modules/identity/identity.routes.ts";
import { planRoutes } from "./modules/plans/plans.routes.ts";
import { systemRoutes } from "./modules/system/system.routes.ts";

/** The table of contents: every handler there is, module by module. */
export function handlersOf(deps: Dependencies): Handlers {
  return {
    ...systemRoutes(deps.system),
    ...identityRoutes(deps),
    ...planRoutes(deps),
    ...apiKeyRoutes(deps),
    ...catalogueRoutes(deps),
    ...reviewRoutes(deps),
    ...gatewayRoutes(deps),
  };
}
