import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createDiscovery } from "../gateway/backends/discovery.ts";
import { createBackendRegistry } from "../gateway/backends/registry.ts";
import { createBackendsRepository } from "../modules/backends/backends.repository.ts";
import { createBackends, storedBackends } from "../modules/backends/backends.usecases.ts";
import { createAdminModels } from "../modules/catalogue/admin-models.usecases.ts";
import { createAdoption } from "../modules/catalogue/adoption.ts";
import { createCallableModels } from "../modules/catalogue/callable-models.ts";
import { createPresenter } from "../modules/catalogue/catalogue.present.ts";
import { createCatalogueRepository } from "../modules/catalogue/catalogue.repository.ts";
import { createCatalogue } from "../modules/catalogue/catalogue.usecases.ts";
import { createLiveModels } from "../modules/catalogue/live-models.ts";
import { createModelAccess } from "../modules/catalogue/model-access.usecases.ts";
import { createModelIntake } from "../modules/catalogue/model-intake.ts";
import { createModelsRepository } from "../modules/catalogue/models.repository.ts";
import { createOverviewsRepository } from "../modules/catalogue/overviews.repository.ts";
import { createReviewsRepository } from "../modules/catalogue/reviews.repository.ts";
import { createReviews } from "../modules/catalogue/reviews.usecases.ts";
import { createSearchReader } from "../modules/catalogue/search.ts";
import { createHosting } from "../modules/model-host/hosting.ts";
import { createSealer, SEALING_PURPOSES } from "../shared/sealing.ts";
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
  const adopt = createAdoption(db, clock, callableModels.forget);
  const sealer = createSealer(secret, SEALING_PURPOSES.backendKeys);
  const rows = createBackendsRepository(db);
  const discovery = createDiscovery({
    registry,
    adopt,
    clock,
    stored: () => storedBackends(rows, sealer),
    settings: settings.FEATHER_BACKENDS,
    discover: settings.FEATHER_DISCOVER,
    ownPort: settings.FEATHER_PORT,
    guarded: outgoing.dispatcher,
  });
  const hubTokens = createSealer(secret, SEALING_PURPOSES.hubTokens);
  const hosting = createHosting({
    ...base,
    dataDir: resolve(ROOT, settings.FEATHER_DATA_DIR),
    registry,
    adopt,
    sealer: hubTokens,
  });
  const live = createLiveModels(registry, hosting.host);
  const catalogue = createCatalogueRepository(db);
  const models = createModelsRepository(db);
  const cataloguing = {
    db,
    catalogue,
    models,
    intake: createModelIntake({ db, hub, clock }),
    live,
    callableModels,
    audit,
    clock,
  };
  const reviewRows = createReviewsRepository(db);
  return {
    registry,
    callableModels,
    discovery,
    backends: createBackends({
      backends: rows,
      registry,
      discovery,
      settings: settings.FEATHER_BACKENDS,
      sealer,
      outgoing,
      clock,
      ids,
    }),
    hosting,
    modelStore: hosting.modelStore,
    liveModels: live,
    catalogue,
    catalogueOf: createCatalogue({
      catalogue,
      search: createSearchReader(db),
      live,
      currentPlan: planCache.current,
      clock,
    }),
    overviews: createOverviewsRepository(db),
    modelRows: models,
    modelAccess: createModelAccess({
      ...cataloguing,
      hub,
      limits: base.limits,
      sealer: settings.FEATHER_HUB_TOKENS === "keep" ? hubTokens : null,
    }),
    adminModels: createAdminModels(cataloguing),
    reviewRows,
    reviews: createReviews({ db, reviews: reviewRows, audit, clock, ids }),
    present: createPresenter(live, priceBook, clock),
  };
}
