import type { FastifyReply } from "fastify";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import { type MarketplaceProvider, toBuyer } from "../billing/index.ts";
import type { MarketplaceAdministration } from "./marketplace.admin.usecases.ts";
import { toMarketplaceAccountDto, toMarketplacePurchaseDto } from "./marketplace.dto.ts";
import type { MarketplaceUseCases } from "./marketplace.usecases.ts";
import type { NotificationUseCases } from "./notifications.usecases.ts";
import type { PurchasesRepository } from "./purchases.repository.ts";

type Deps = {
  marketplace: MarketplaceUseCases;
  notifications: NotificationUseCases;
};

/** Routes of the accounts at cloud marketplaces, and of what marketplaces send. */
export function marketplaceRoutes({ marketplace, notifications }: Deps): Handlers {
  return {
    "marketplace.accounts": async ({ actor }) => ({
      items: (await marketplace.list(actor.organizationId)).map(toMarketplaceAccountDto),
    }),
    "marketplace.subscribe": async ({ actor, body, request }) =>
      toMarketplaceAccountDto(
        await marketplace.subscribe(toBuyer(actor), body.provider, body.token, request.idempotencyId),
      ),
    "marketplace.awsLanding": async ({ body, reply }) =>
      redirect(reply, toConnectPage("aws", body["x-amzn-marketplace-token"])),
    "marketplace.azureLanding": async ({ query, reply }) => redirect(reply, toConnectPage("azure", query.token)),
    "marketplace.gcpLanding": async ({ body, reply }) => {
      const token = await marketplace.exchangeToken("gcp", body["x-gcp-marketplace-token"]);
      // Without a token, the page says that the buyer has to open it from the marketplace again.
      return redirect(reply, toConnectPage("gcp", token ?? ""));
    },
    "marketplace.awsNotification": async ({ body, request }) => {
      await notifications.receive("aws", { body, authorization: request.headers.authorization });
      return undefined;
    },
    "marketplace.azureNotification": async ({ body, request }) => {
      await notifications.receive("azure", { body, authorization: request.headers.authorization });
      return undefined;
    },
    "marketplace.gcpNotification": async ({ body, request }) => {
      await notifications.receive("gcp", { body, authorization: request.headers.authorization });
      return undefined;
    },
  };
}

/** Redirects a buyer to an address with a token. Neither caches nor other sites get that address. */
function redirect(reply: FastifyReply, address: string): FastifyReply {
  return reply
    .code(303)
    .headers({ location: address, "cache-control": "no-store", "referrer-policy": "no-referrer" })
    .send();
}

/** Returns the address of the page that connects a purchase. */
function toConnectPage(provider: MarketplaceProvider, token: string): string {
  return `/connect-marketplace-account?${new URLSearchParams({ provider, token })}`;
}

type AdminDeps = { purchases: PurchasesRepository; administration: MarketplaceAdministration };

/** Routes for admins: the purchases of all organizations. */
export function adminMarketplaceRoutes({ purchases, administration }: AdminDeps): Handlers {
  return {
    "admin.marketplaces.list": async ({ query }) => {
      const page = parsePage(query);
      const { rows, total } = await purchases.search(query, page.limit, page.offset);
      return { items: rows.map(toMarketplacePurchaseDto), pagination: toPagination(page, total) };
    },
    "admin.marketplaces.settle": async ({ actor, path }) =>
      toMarketplacePurchaseDto(await administration.settle(actor, path.id)),
    "admin.marketplaces.reject": async ({ actor, path, body }) =>
      toMarketplacePurchaseDto(await administration.reject(actor, path.id, body.reason)),
  };
}
