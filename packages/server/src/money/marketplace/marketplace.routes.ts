import type { components } from "@feather/openapi/schema";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { toBuyer } from "../billing/index.ts";
import type { MarketplaceAccountRow, MarketplaceUseCases } from "./marketplace.usecases.ts";

type Account = components["schemas"]["MarketplaceAccount"];

/** Routes of the accounts at cloud marketplaces. */
export function marketplaceRoutes({ marketplace }: { marketplace: MarketplaceUseCases }): Handlers {
  return {
    "marketplace.accounts": async ({ actor }) => ({
      items: (await marketplace.list(actor.organizationId)).map(toMarketplaceAccountDto),
    }),
    "marketplace.subscribe": async ({ actor, body, request }) =>
      toMarketplaceAccountDto(
        await marketplace.subscribe(toBuyer(actor), body.provider, body.token, request.idempotencyId),
      ),
  };
}

function toMarketplaceAccountDto({ provider, customer_id, product, status, is_test }: MarketplaceAccountRow): Account {
  return {
    provider: provider as Account["provider"],
    customer_id,
    product,
    status: status as Account["status"],
    is_test,
  };
}
