import type { Actor } from "../../core/auth/actor.ts";
import type { Clock } from "../../core/clock.ts";
import { errors } from "../../core/errors/index.ts";
import type { Page } from "../../http/pagination.ts";
import type { CurrentPlan } from "../plans/plans.repository.ts";
import type { CatalogueContext, CatalogueQuery } from "./catalogue.query.ts";
import type { CatalogueRepository, ModelPage } from "./catalogue.repository.ts";
import type { LiveModels } from "./live-models.ts";
import type { SearchParser } from "./search.ts";
import { ANONYMOUS_VIEWER, type Viewer } from "./viewer.ts";

type Deps = {
  catalogueRepository: CatalogueRepository;
  searchParser: SearchParser;
  liveModels: Pick<LiveModels, "operatorModels" | "tiers">;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  clock: Clock;
};

/** Use cases of the catalogue: who views it, lists and favorites. */
export function createCatalogue({ catalogueRepository, searchParser, liveModels, currentPlan, clock }: Deps) {
  async function resolveViewer(actor: Actor): Promise<Viewer> {
    if (actor.kind === "anonymous") return ANONYMOUS_VIEWER;
    const { userId, organizationId } = actor;
    const { plan } = await currentPlan(organizationId);
    const { id, max_model_size, max_context_length } = plan;
    return { userId, organizationId, plan: { id, maxModelSize: max_model_size, maxContextLength: max_context_length } };
  }

  async function createContext(viewer: Viewer, query: CatalogueQuery): Promise<CatalogueContext> {
    const [tiers, operatorModels] = [liveModels.tiers(), liveModels.operatorModels()];
    return { viewer, tiers, operatorModels, now: clock.now(), search: await searchParser.parse(query.search, viewer) };
  }

  async function findKey(viewer: Viewer, id: string): Promise<string> {
    const row = await catalogueRepository.find(id, viewer);
    if (!row) throw modelNotFound(id);
    return row.key;
  }

  return {
    resolveViewer,
    contextOf: createContext,

    async list(viewer: Viewer, query: CatalogueQuery, page: Page, withFacets = false): Promise<ModelPage> {
      if (query.callable !== undefined && viewer.userId === null)
        throw errors.unauthorized("What is callable depends on the caller. Sign in, or send an API key.");
      if (query.saved !== undefined && viewer.userId === null)
        throw errors.unauthorized("What is saved depends on the caller. Sign in, or send an API key.");
      const context = await createContext(viewer, query);
      return catalogueRepository.list(query, context, { limit: page.limit, offset: page.offset, facets: withFacets });
    },

    favorites: (viewer: Viewer) => catalogueRepository.listFavorites(viewer),

    async favorite(viewer: Viewer, id: string): Promise<void> {
      await catalogueRepository.addFavorite(viewer.userId ?? "", await findKey(viewer, id), clock.now());
    },

    async unfavorite(viewer: Viewer, id: string): Promise<void> {
      await catalogueRepository.removeFavorite(viewer.userId ?? "", await findKey(viewer, id));
    },
  };
}

export type Catalogue = ReturnType<typeof createCatalogue>;

/** The error `model_not_found` (404) without suggestions. */
export const modelNotFound = (id: string) => errors.modelNotFound(`There is no model called ${id}.`);
