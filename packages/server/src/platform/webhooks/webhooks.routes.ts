import type { SignedInActor } from "../core/auth/actor.ts";
import type { Clock } from "../core/clock.ts";
import { errors } from "../core/errors/index.ts";
import type { Handlers } from "../core/http/handlers.ts";
import { parsePage, toPagination } from "../core/http/pagination.ts";
import { toDeliveryDto, toEndpointDto } from "./webhooks.dto.ts";
import type { EndpointRow, WebhooksRepository } from "./webhooks.repository.ts";
import type { WebhookUseCases } from "./webhooks.usecases.ts";

type Deps = { webhooks: WebhookUseCases; webhooksRepository: WebhooksRepository; clock: Clock };

/** Routes of an organization's webhooks. */
export function webhookRoutes({ webhooks, webhooksRepository, clock }: Deps): Handlers {
  const toDto = (row: EndpointRow) => toEndpointDto(row, clock.now());

  async function getEndpoint({ organizationId }: SignedInActor, id: string): Promise<EndpointRow> {
    const row = await webhooksRepository.find(organizationId, id);
    if (!row) throw errors.webhooks.notFound();
    return row;
  }

  return {
    "webhooks.list": async ({ actor }) => ({
      items: (await webhooksRepository.list(actor.organizationId)).map(toDto),
    }),

    "webhooks.get": async ({ actor, path }) => toDto(await getEndpoint(actor, path.id)),

    "webhooks.create": async ({ actor, body }) => {
      const { row, secret } = await webhooks.create(actor, body);
      return { ...toDto(row), secret };
    },

    "webhooks.update": async ({ actor, path, body }) => toDto(await webhooks.update(actor, path.id, body)),

    "webhooks.rotate": async ({ actor, path }) => {
      const { row, secret } = await webhooks.rotate(actor, path.id);
      return { ...toDto(row), secret };
    },

    "webhooks.delete": async ({ actor, path }) => {
      await webhooks.delete(actor, path.id);
      return undefined;
    },

    "webhooks.test": async ({ actor, path }) => toDeliveryDto(await webhooks.test(actor, path.id)),

    "webhooks.deliveries.list": async ({ actor, path, query }) => {
      const filter = { endpointId: (await getEndpoint(actor, path.id)).id, status: query.status };
      const page = parsePage(query);
      const [rows, total] = await Promise.all([
        webhooksRepository.listDeliveries(filter, page),
        webhooksRepository.countDeliveries(filter),
      ]);
      return { items: rows.map(toDeliveryDto), pagination: toPagination(page, total) };
    },

    "webhooks.deliveries.replay": async ({ actor, path }) =>
      toDeliveryDto(await webhooks.replay(actor, path.id, path.deliveryId)),
  };
}
