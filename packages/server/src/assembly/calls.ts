import { createPipeline } from "../gateway/pipeline.ts";
import { createPreflight } from "../gateway/preflight.ts";
import { createRevokedKeysJob } from "../gateway/revoked-keys.jobs.ts";
import { createRunningCalls } from "../gateway/running-calls.ts";
import { createCreditsStage } from "../gateway/stages/credits.ts";
import { createDailyLimit } from "../gateway/stages/daily-limit.ts";
import { createModelSwitches } from "../gateway/stages/model-switches.ts";
import { createRouteStage } from "../gateway/stages/route.ts";
import { createTokenizer } from "../gateway/tokenizer.ts";
import { createUnits } from "../gateway/units.ts";
import { createUsageWriter } from "../gateway/usage-writer.ts";
import { createWaitQueue } from "../gateway/wait-queue.ts";
import { createSettlement } from "../modules/credits/settlement.ts";
import { createDeploymentsModule } from "../modules/deployments/deployments.module.ts";
import { createLocalProvider } from "../modules/deployments/local-provider.ts";
import { unitsOf } from "../modules/plans/plans.repository.ts";
import { calculateCostNano } from "../modules/prices/cost.ts";
import { createPrivateModelsRepository } from "../modules/private-models/private-models.repository.ts";
import { createPrivateModels } from "../modules/private-models/private-models.usecases.ts";
import { createRefusalCounter } from "../modules/usage/refusal-counter.ts";
import type { Base } from "./base.ts";
import type { Models } from "./models.ts";
import type { Money } from "./money.ts";

/** Creates what model calls need, from admission to usage rows, and private deployments. */
export function createCallsArea(base: Base, money: Money, models: Models) {
  const { db, settings, log, clock, ids, audit, hub, plansRepository, planCache, startEngine } = base;
  const { credits, reservations, ledger, priceBook } = money;
  const { registry, hosting, callableModels } = models;
  const currentPlan = planCache.current;
  const { coldStatus, remoteMedia } = settings.gateway;
  const waitQueue = createWaitQueue();
  const units = createUnits(clock, waitQueue);
  const usage = createUsageWriter(db, log, createSettlement(ledger, reservations, clock));
  const refusals = createRefusalCounter(db, clock, log);
  const running = createRunningCalls();
  const route = createRouteStage({ registry, modelHost: hosting.host, waitQueue, clock, coldStatus });
  const timeouts = {
    firstByteMs: settings.gateway.firstByteTimeoutSeconds * 1000,
    idleMs: settings.gateway.streamIdleTimeoutSeconds * 1000,
    keepAliveMs: settings.gateway.streamKeepAliveSeconds * 1000,
    stalledMs: settings.gateway.stalledTimeoutSeconds * 1000,
  };
  const { memory, findForOrganization } = hosting;
  const deploymentsModule = createDeploymentsModule({
    db,
    deploymentProviders: [createLocalProvider({ start: startEngine, memory, findModel: findForOrganization, clock })],
    models: callableModels,
    plansRepository,
    currentPlan,
    audit,
    running,
    usage,
    timeouts,
    remoteMedia,
    line: waitQueue,
    coldStatus,
    clock,
    ids,
    log,
  });
  return {
    units,
    unitsOf,
    usage,
    refusals,
    running,
    revokedKeysJob: createRevokedKeysJob(db, running, clock),
    serving: route,
    deploymentsModule,
    privateModels: createPrivateModels({
      db,
      privateModelsRepository: createPrivateModelsRepository(db),
      hub,
      hosting,
      plansRepository,
      countDeployments: deploymentsModule.deploymentsRepository.countByModel,
      invalidateModels: callableModels.invalidate,
      audit,
      clock,
    }),
    pipeline: createPipeline({
      route,
      models: callableModels,
      currentPlan,
      unitsOf,
      registry,
      units,
      onRefused: refusals.add,
      modelSwitches: createModelSwitches(clock),
      dailyLimit: createDailyLimit(db, clock),
      credits: createCreditsStage(priceBook, reservations),
      usage,
      timeouts,
      remoteMedia,
    }),
    tokenizer: createTokenizer({ models: callableModels, registry, currentPlan }),
    preflight: createPreflight({
      models: callableModels,
      registry,
      modelHost: hosting.host,
      units,
      currentPlan,
      unitsOf,
      estimateMaxCost: async (model, tokens) => {
        const price = await priceBook.findPrice(model);
        return price && calculateCostNano(price, { ...tokens, images: 0 });
      },
      creditsOf: async (organizationId) => (await credits.balance(organizationId)).available,
    }),
  };
}
