import type { components } from "@feather/openapi/schema";
import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { toBuyer } from "../billing/pricing.ts";
import type { Marketplace, MarketplaceRow } from "./marketplace.ts";

type Account = components["schemas"]["MarketplaceAccount"];

/** Routes of the accounts at cloud marketplaces. */
export function marketplaceRoutes({ marketplace }: { marketplace: Marketplace }): Handlers {
  return {
    "marketplace.accounts": async ({ actor }) => ({
      items: (await marketplace.list(signedIn(actor).organizationId)).map(present),
    }),
    "marketplace.subscribe": async ({ actor, body, request }) =>
      present(await marketplace.subscribe(toBuyer(signedIn(actor)), body.provider, body.token, request.idempotencyId)),
  };
}

function present({ provider, customer_id, product, status, is_test }: MarketplaceRow): Account {
  return {
    provider: provider as Account["provider"],
    customer_id,
    product,
    status: status as Account["status"],
    is_test,
  };
}
