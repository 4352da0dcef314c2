import type { components } from "@feather/openapi/schema";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { trimDecimal } from "../../platform/core/money.ts";
import type { PriceBook } from "./price-book.ts";
import type { PriceRow, PricesRepository } from "./prices.repository.ts";
import { createAddPrice } from "./prices.usecases.ts";

type Price = components["schemas"]["Price"];
type Deps = {
  db: Database;
  pricesRepository: PricesRepository;
  priceBook: PriceBook;
  audit: Audit;
  clock: Clock;
  ids: Ids;
};

/** Routes for admins to list and add prices. */
export function priceRoutes(deps: Deps): Handlers {
  const { pricesRepository } = deps;
  const addPrice = createAddPrice(deps);
  return {
    "admin.prices.list": async ({ query }) => {
      const page = parsePage(query);
      const target =
        query.model === undefined ? null : ((await pricesRepository.findTarget(query.model))?.target ?? query.model);
      const [rows, total] = await Promise.all([
        pricesRepository.list(target, page.limit, page.offset),
        pricesRepository.count(target),
      ]);
      return { items: rows.map(toPriceDto), pagination: toPagination(page, total) };
    },

    "admin.prices.create": async ({ actor, path, body }) => {
      const {
        prompt,
        completion,
        image = "0",
        audio_second = "0",
        character = "0",
        request = "0",
        effective_at,
      } = body;
      const effectiveAt = effective_at === undefined ? null : new Date(effective_at);
      const price = { prompt, completion, image, audio_second, character, request, effectiveAt };
      return toPriceDto(await addPrice(actor, path.model, price));
    },
  };
}

function toPriceDto(row: PriceRow): Price {
  return {
    id: row.id,
    scope: row.scope as Price["scope"],
    model: row.target,
    prompt: trimDecimal(row.prompt),
    completion: trimDecimal(row.completion),
    image: trimDecimal(row.image),
    audio_second: trimDecimal(row.audio_second),
    character: trimDecimal(row.character),
    request: trimDecimal(row.request),
    effective_at: row.effective_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
