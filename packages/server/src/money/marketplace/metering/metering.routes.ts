import type { Handlers } from "../../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../../platform/core/http/pagination.ts";
import { femtoToNano, usdToFemto } from "../../../platform/core/money.ts";
import { toMeterDto, toMeteringDto, toUsageDto } from "./metering.dto.ts";
import type { MeteringRepository } from "./metering.repository.ts";
import type { MeteringUseCases } from "./metering.usecases.ts";

type Deps = { metering: MeteringRepository; useCases: MeteringUseCases };

/** Routes of metered usage: the limit of an organization, and for admins the meters and what was reported. */
export function meteringRoutes({ metering, useCases }: Deps): Handlers {
  return {
    "marketplace.metering.get": async ({ actor }) => toMeteringDto(await useCases.read(actor.organizationId)),
    "marketplace.metering.set": async ({ actor, body }) =>
      toMeteringDto(await useCases.setLimit(actor, body.monthly_limit_usd_cents)),
    "admin.marketplaces.meters.list": async () => ({ items: (await metering.listMeters()).map(toMeterDto) }),
    "admin.marketplaces.meters.set": async ({ actor, path, body }) =>
      toMeterDto(
        await useCases.setMeter(actor, path.provider, path.offer, {
          dimension: body.dimension,
          unitPriceNano: femtoToNano(usdToFemto(body.unit_price_usd)),
          maxMonthlyCents: body.max_monthly_usd_cents,
        }),
      ),
    "admin.marketplaces.meters.remove": async ({ actor, path }) => {
      await useCases.removeMeter(actor, path.provider, path.offer);
      return undefined;
    },
    "admin.marketplaces.usage": async ({ query }) => {
      const page = parsePage(query);
      const { rows, total } = await metering.search(query, page.limit, page.offset);
      return { items: rows.map(toUsageDto), pagination: toPagination(page, total) };
    },
  };
}
