import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createSealer, SEALING_PURPOSES } from "../core/sealing.ts";
import { createDiscovery } from "../gateway/backends/discovery.ts";
import { createBackendRegistry } from "../gateway/backends/registry.ts";
import { createBackendsRepository } from "../modules/backends/backends.repository.ts";
import { createBackends, listStoredBackends } from "../modules/backends/backends.usecases.ts";
import { createAdminModels } from "../modules/catalogue/admin-models.usecases.ts";
import { createCallableModels } from "../modules/catalogue/callable-models.ts";
import { createModelDtos } from "../modules/catalogue/catalogue.dto.ts";
import { createCatalogueRepository } from "../modules/catalogue/catalogue.repository.ts";
import { createCatalogue } from "../modules/catalogue/catalogue.usecases.ts";
import { createEnsureModels } from "../modules/catalogue/ensure-models.ts";
import { createLiveModels } from "../modules/catalogue/live-models.ts";
import { createModelAccess } from "../modules/catalogue/model-access.usecases.ts";
import { createModelImporter } from "../modules/catalogue/model-importer.ts";
import { createModelsRepository } from "../modules/catalogue/models.repository.ts";
import { createOverviewsRepository } from "../modules/catalogue/overviews.repository.ts";
import { createReviewsRepository } from "../modules/catalogue/reviews.repository.ts";
import { createReviews } from "../modules/catalogue/reviews.usecases.ts";
import { createSearchParser } from "../modules/catalogue/search.ts";
import { createHosting } from "../modules/model-host/hosting.ts";
import type { Base } from "./base.ts";
import type { Money } from "./money.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/** The models area. */
export type Models = ReturnType<typeof createModelsArea>;

/** Creates catalogue, backends and hosting of models. */
export function createModelsArea(base: Base, { priceBook }: Pick<Money, "priceBook">) {
  const { db, settings, clock, ids, secret, audit, outgoing, hub, planCache } = base;
  const registry = createBackendRegistry(clock, outgoing.connect);
  const callableModels = createCallableModels(db, registry.isOperatorModel);
  const ensureModels = createEnsureModels(db, clock, callableModels.invalidate);
  const sealer = createSealer(secret, SEALING_PURPOSES.backendKeys);
  const backendsRepository = createBackendsRepository(db);
  const discovery = createDiscovery({
    registry,
    ensureModels,
    clock,
    loadStored: () => listStoredBackends(backendsRepository, sealer),
    settings: settings.backends.configured,
    scanLoopback: settings.backends.discover,
    ownPort: settings.server.port,
    guardedDispatcher: outgoing.dispatcher,
  });
  const hubTokens = createSealer(secret, SEALING_PURPOSES.hubTokens);
  const hosting = createHosting({
    ...base,
    settings: settings.modelHost,
    dataDir: resolve(ROOT, settings.storage.dataDir),
    registry,
    adopt: ensureModels,
    sealer: hubTokens,
  });
  const liveModels = createLiveModels(registry, hosting.host);
  const catalogueRepository = createCatalogueRepository(db);
  const modelsRepository = createModelsRepository(db);
  const cataloguing = {
    db,
    catalogueRepository,
    modelsRepository,
    modelImporter: createModelImporter({ db, hub, clock }),
    liveModels,
    callableModels,
    audit,
    clock,
  };
  const reviewsRepository = createReviewsRepository(db);
  return {
    registry,
    callableModels,
    discovery,
    backends: createBackends({
      backendsRepository,
      registry,
      discovery,
      settings: settings.backends.configured,
      sealer,
      outgoing,
      clock,
      ids,
    }),
    hosting,
    modelStore: hosting.modelStore,
    liveModels,
    catalogueRepository,
    catalogue: createCatalogue({
      catalogueRepository,
      searchParser: createSearchParser(db),
      liveModels,
      currentPlan: planCache.current,
      clock,
    }),
    overviews: createOverviewsRepository(db),
    modelsRepository,
    modelAccess: createModelAccess({
      ...cataloguing,
      hub,
      limits: base.limits,
      sealer: settings.hub.tokens === "keep" ? hubTokens : null,
    }),
    adminModels: createAdminModels(cataloguing),
    reviewsRepository,
    reviews: createReviews({ db, reviewsRepository, audit, clock, ids }),
    modelDtos: createModelDtos(liveModels, priceBook, clock),
  };
}
