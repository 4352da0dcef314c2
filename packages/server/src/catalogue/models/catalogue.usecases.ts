import type { MayCallElsewhere } from "../../gateway/index.ts";
import type { FitEstimate } from "../../hosting/hosts/index.ts";
import type { CurrentPlan } from "../../money/plans/index.ts";
import type { Actor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Page } from "../../platform/core/http/pagination.ts";
import type { TakeTurn } from "../../platform/core/turns.ts";
import type { CatalogueRepository, ModelPage } from "./catalogue.repository.ts";
import type { CatalogueContext, CatalogueQuery } from "./listing/catalogue.query.ts";
import type { SearchParser } from "./listing/search.ts";
import type { LiveModels } from "./live-models.ts";
import { ANONYMOUS_VIEWER, type Viewer } from "./viewer.ts";

type Deps = {
  catalogueRepository: CatalogueRepository;
  searchParser: SearchParser;
  liveModels: Pick<LiveModels, "listHosted" | "operatorModels" | "tiers">;
  fit: FitEstimate;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  mayCallElsewhere: MayCallElsewhere;
  clock: Clock;
  /** Limits concurrent lists, because a list of a large catalogue may take seconds and needs no account. */
  takeListTurn: TakeTurn;
};

/** Creates the use cases of the catalogue: viewers, lists and favorites. */
export function createCatalogue(deps: Deps) {
  return {
    ...bind(deps, {
      resolveViewer,
      list: listModels,
      favorites: listFavorites,
      favorite: addFavorite,
      unfavorite: removeFavorite,
    }),
    contextOf: (viewer: Viewer, query: CatalogueQuery) => createContext(deps, viewer, query),
  };
}

export type Catalogue = ReturnType<typeof createCatalogue>;

async function resolveViewer(deps: Deps, actor: Actor): Promise<Viewer> {
  const { currentPlan, mayCallElsewhere } = deps;
  if (actor.kind === "anonymous") return ANONYMOUS_VIEWER;
  const { userId, organizationId } = actor;
  const [{ plan }, callsElsewhere] = await Promise.all([currentPlan(organizationId), mayCallElsewhere(organizationId)]);
  const { id, max_model_size, max_context_length } = plan;
  const isAdmin = actor.isAdmin && ({ isAdmin: true } as const);
  return {
    userId,
    organizationId,
    ...isAdmin,
    callsElsewhere,
    plan: { id, maxModelSize: max_model_size, maxContextLength: max_context_length },
  };
}

async function createContext(deps: Deps, viewer: Viewer, query: CatalogueQuery): Promise<CatalogueContext> {
  const { searchParser, liveModels, fit, clock } = deps;
  const [tiers, operatorModels] = [liveModels.tiers(), liveModels.operatorModels()];
  const search = await searchParser.parse(query.search, viewer);
  return { viewer, tiers, listHosted: liveModels.listHosted, fit, operatorModels, now: clock.now(), search };
}

async function findKey(deps: Deps, viewer: Viewer, id: string): Promise<string> {
  const { catalogueRepository } = deps;
  const row = await catalogueRepository.find(id, viewer);
  if (!row) throw modelNotFound(id);
  return row.key;
}

async function listModels(
  deps: Deps,
  viewer: Viewer,
  query: CatalogueQuery,
  page: Page,
  withFacets = false,
): Promise<ModelPage> {
  const { catalogueRepository, takeListTurn } = deps;
  if (query.callable !== undefined && viewer.userId === null)
    throw errors.unauthorized("What is callable depends on the caller. Sign in, or send an API key.");
  if (query.saved !== undefined && viewer.userId === null)
    throw errors.unauthorized("What is saved depends on the caller. Sign in, or send an API key.");
  if ((query.fit !== undefined || query.sort === "fit") && viewer.userId === null)
    throw errors.unauthorized("What fits this machine is shown to its users only. Sign in, or send an API key.");
  return takeListTurn(async () => {
    const context = await createContext(deps, viewer, query);
    return catalogueRepository.list(query, context, { limit: page.limit, offset: page.offset, facets: withFacets });
  });
}

function listFavorites({ catalogueRepository }: Deps, viewer: Viewer) {
  return catalogueRepository.listFavorites(viewer);
}

async function addFavorite(deps: Deps, viewer: Viewer, id: string): Promise<void> {
  const { catalogueRepository, clock } = deps;
  await catalogueRepository.addFavorite(viewer.userId ?? "", await findKey(deps, viewer, id), clock.now());
}

async function removeFavorite(deps: Deps, viewer: Viewer, id: string): Promise<void> {
  const { catalogueRepository } = deps;
  await catalogueRepository.removeFavorite(viewer.userId ?? "", await findKey(deps, viewer, id));
}

/** Returns the error `model_not_found` (404) without suggestions. */
export const modelNotFound = (id: string) => errors.modelNotFound(`There is no model called ${id}.`);
