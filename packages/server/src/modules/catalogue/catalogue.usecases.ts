import type { Actor } from "../../http/actor.ts";
import type { Page } from "../../http/pages.ts";
import type { Clock } from "../../shared/clock.ts";
import { notFound, unauthorized } from "../../shared/errors.ts";
import type { CurrentPlan } from "../plans/plans.repository.ts";
import type { CatalogueContext, CatalogueQuery } from "./catalogue.query.ts";
import type { CatalogueRepository, Found } from "./catalogue.repository.ts";
import type { LiveModels } from "./live-models.ts";
import { NOBODY, type Reader } from "./reader.ts";
import type { SearchReader } from "./search.ts";

type Deps = {
  catalogue: CatalogueRepository;
  search: SearchReader;
  live: Pick<LiveModels, "operatorModels" | "tiers">;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  clock: Clock;
};

/** Use cases of the catalogue: who views it, lists and favorites. */
export function createCatalogue({ catalogue, search, live, currentPlan, clock }: Deps) {
  async function readerOf(actor: Actor): Promise<Reader> {
    if (actor.kind === "anonymous") return NOBODY;
    const { userId, organizationId } = actor;
    const { plan } = await currentPlan(organizationId);
    const { id, max_model_size, max_context_length } = plan;
    return { userId, organizationId, plan: { id, maxModelSize: max_model_size, maxContextLength: max_context_length } };
  }

  async function contextOf(reader: Reader, query: CatalogueQuery): Promise<CatalogueContext> {
    const [tiers, operatorModels] = [live.tiers(), live.operatorModels()];
    return { reader, tiers, operatorModels, now: clock.now(), search: await search.read(query.search, reader) };
  }

  async function keyOf(reader: Reader, id: string): Promise<string> {
    const row = await catalogue.find(id, reader);
    if (!row) throw noSuchModel(id);
    return row.key;
  }

  return {
    readerOf,
    contextOf,

    async list(reader: Reader, query: CatalogueQuery, page: Page, withFacets = false): Promise<Found> {
      if (query.callable !== undefined && reader.userId === null)
        throw unauthorized("What is callable depends on the caller. Sign in, or send an API key.");
      if (query.saved !== undefined && reader.userId === null)
        throw unauthorized("What is saved depends on the caller. Sign in, or send an API key.");
      const context = await contextOf(reader, query);
      return catalogue.list(query, context, { limit: page.limit, offset: page.offset, facets: withFacets });
    },

    favorites: (reader: Reader) => catalogue.favorites(reader),

    async favorite(reader: Reader, id: string): Promise<void> {
      await catalogue.favorite(reader.userId ?? "", await keyOf(reader, id), clock.now());
    },

    async unfavorite(reader: Reader, id: string): Promise<void> {
      await catalogue.unfavorite(reader.userId ?? "", await keyOf(reader, id));
    },
  };
}

export type Catalogue = ReturnType<typeof createCatalogue>;

/** The error `model_not_found` (404) without suggestions. */
export const noSuchModel = (id: string) => notFound(`There is no model called ${id}.`, "model_not_found");
