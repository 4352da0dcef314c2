import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { BackendRegistry, MayCallElsewhere, ReadRoutingRules } from "../../gateway/index.ts";
import type { FitEstimate, ModelHost } from "../../hosting/hosts/index.ts";
import type { Hub, ReadCard } from "../../hosting/hub/index.ts";
import {
  type AutoPull,
  createRefreshJob,
  type OpenPulls,
  type Sources,
  type SourcesRepository,
} from "../../hosting/store/index.ts";
import type { CurrentPlan } from "../../money/plans/index.ts";
import type { PriceBook } from "../../money/prices/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Events } from "../../platform/core/events.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { createTurns } from "../../platform/core/turns.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { ListProbes } from "../probes/index.ts";
import { adminModelRoutes } from "./admin-models.routes.ts";
import { createAdminModels } from "./admin-models.usecases.ts";
import { createAliasModels } from "./alias-models.ts";
import { createAnswerRequestsJob } from "./answer-requests.jobs.ts";
import { type CallableModels, createCallableModels } from "./callable-models.ts";
import { createModelDtos } from "./catalogue.dto.ts";
import { createCatalogueRepository } from "./catalogue.repository.ts";
import { catalogueRoutes } from "./catalogue.routes.ts";
import { createCatalogue } from "./catalogue.usecases.ts";
import { createEnsureModels } from "./ensure-models.ts";
import { createModelImporter } from "./hub-facts/model-importer.ts";
import { saveHubFacts } from "./hub-facts/save-hub-facts.ts";
import { createSearchParser } from "./listing/search.ts";
import { createLiveModels } from "./live-models.ts";
import { createModelAccess } from "./model-access.usecases.ts";
import { createModelPlaces } from "./model-places.ts";
import { createModelsRepository } from "./models.repository.ts";
import { createOverviewsRepository } from "./overviews.repository.ts";
import { createFindSizes } from "./parameter-sizes.ts";
import { createReviewsRepository } from "./reviews/reviews.repository.ts";
import { reviewRoutes } from "./reviews/reviews.routes.ts";
import { createReviews } from "./reviews/reviews.usecases.ts";

/** Lists may use only a part of the connections to the database, so that calls and sign-ins do not wait for them. */
const LIST_TURNS = { running: 5, waiting: 500, maxWaitMs: 10_000 };

/** The number of models with recently opened pages that are read from the hub before others. */
const MAX_LOOKED_AT = 100;

type Ports = {
  db: Database;
  callableModels: CallableModels;
  /** Reads what a model has shown at its places. */
  listProbes: ListProbes;
  readRules: ReadRoutingRules;
  registry: BackendRegistry;
  host: ModelHost;
  /** The downloads to this machine. */
  openPulls: OpenPulls;
  /** Estimates which models can be loaded on this machine. */
  fit: FitEstimate;
  /** Starts the download of a requested model if it is allowed. */
  autoPull: Pick<AutoPull, "request">;
  /** Finds the repositories that models can be downloaded from. */
  sources: Sources;
  sourcesRepository: SourcesRepository;
  /** Whether a job reads the hub regularly. */
  refreshesFromHub: boolean;
  log: Pick<Logger, "info" | "debug">;
  hub: Hub;
  /** Sanitizes readmes that administrators write. */
  readCard: ReadCard;
  priceBook: PriceBook;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  mayCallElsewhere: MayCallElsewhere;
  limits: RateLimiter;
  audit: Audit;
  events: Events;
  clock: Clock;
  ids: Ids;
  mail: Mail;
  publicUrl: string;
  productName: string;
  /** Encrypts the hub tokens of users for storage; null if they are not stored. */
  hubTokens: Sealer | null;
};

/** Creates the catalogue of models: lists, search, pages, access to gated models, reviews and administration. */
export function createCatalogueModule({ registry, host, openPulls, hub, priceBook, hubTokens, ...ports }: Ports) {
  const { db, currentPlan, clock } = ports;
  const liveModels = createLiveModels(registry, host, openPulls);
  const catalogueRepository = createCatalogueRepository(db);
  const reviewsRepository = createReviewsRepository(db);
  const lookedAt = new LRUCache<string, true>({ max: MAX_LOOKED_AT });
  const shared = {
    ...ports,
    hub,
    noteLookedAt: (key: string) => void lookedAt.set(key, true),
    liveModels,
    catalogueRepository,
    modelsRepository: createModelsRepository(db),
    modelImporter: createModelImporter({ db, hub, clock }),
    modelDtos: createModelDtos({
      liveModels,
      modelPlaces: createModelPlaces({ registry, host, clock }),
      prices: priceBook,
      clock,
      fit: ports.fit,
    }),
    reviewsRepository,
    takeListTurn: createTurns(LIST_TURNS),
  };
  const catalogue = createCatalogue({ ...shared, searchParser: createSearchParser(db), currentPlan });
  const modelAccess = createModelAccess({ ...shared, sealer: hubTokens });
  return {
    routes: {
      ...catalogueRoutes({
        ...shared,
        catalogue,
        aliasModels: createAliasModels(shared),
        overviews: createOverviewsRepository(db),
        modelAccess,
      }),
      ...reviewRoutes({ ...shared, catalogue, reviews: createReviews(shared) }),
      ...adminModelRoutes({ ...shared, catalogue, adminModels: createAdminModels(shared) }),
    },
    jobs: [
      createAnswerRequestsJob(shared),
      createRefreshJob({
        ...ports,
        isOn: ports.refreshesFromHub,
        listPreferred: () => [...liveModels.tiers().keys(), ...lookedAt.keys()],
        onRead: (modelId, repository) => saveHubFacts(shared, modelId, repository),
      }),
    ],
    api: {},
  };
}

/**
 * Creates the lookup of models for calls, and the functions that add models to the catalogue that it lacks, and find their
 * sizes.
 */
export function createModelLookup(ports: {
  db: Database;
  clock: Clock;
  replicas: Replicas;
  registry: Pick<BackendRegistry, "isOperatorModel">;
}) {
  const { db, clock, replicas, registry } = ports;
  const callableModels = createCallableModels(db, replicas, registry.isOperatorModel);
  return {
    callableModels,
    ensureModels: createEnsureModels(db, clock, callableModels.invalidate),
    findSizes: createFindSizes(db),
  };
}

/** Finds models for calls, and adds those that the catalogue lacks. */
export type ModelLookup = ReturnType<typeof createModelLookup>;

export type { CallableModels } from "./callable-models.ts";
export { saveHubFacts } from "./hub-facts/save-hub-facts.ts";
