import { createEndedKeysJob } from "../gateway/ended-keys.ts";
import { createPipeline } from "../gateway/pipeline.ts";
import { createPreflight } from "../gateway/preflight.ts";
import { createRunningCalls } from "../gateway/running-calls.ts";
import { createCreditsStage } from "../gateway/stages/credits.ts";
import { createDailyLimit } from "../gateway/stages/daily-limit.ts";
import { createServing } from "../gateway/stages/serving.ts";
import { createModelSwitches } from "../gateway/stages/switches.ts";
import { createTokenizer } from "../gateway/tokenizer.ts";
import { createUnits } from "../gateway/units.ts";
import { createUsageWriter } from "../gateway/usage-writer.ts";
import { createWaitingLine } from "../gateway/waiting-line.ts";
import { createSettlement } from "../modules/credits/settlement.ts";
import { createLocalProvider } from "../modules/deployments/local-provider.ts";
import { createPrivateCloud } from "../modules/deployments/private-cloud.ts";
import { unitsOf } from "../modules/plans/plans.repository.ts";
import { costOf } from "../modules/prices/cost.ts";
import { createPrivateModelsRepository } from "../modules/private-models/private-models.repository.ts";
import { createPrivateModels } from "../modules/private-models/private-models.usecases.ts";
import { createRefusals } from "../modules/usage/refusals.ts";
import type { Base } from "./base.ts";
import type { Models } from "./models.ts";
import type { Money } from "./money.ts";

/** Creates what model calls need, from admission to usage rows, and private deployments. */
export function createCallsArea(base: Base, money: Money, models: Models) {
  const { db, settings, log, clock, ids, audit, hub, plans, planCache, startEngine } = base;
  const { credits, reservations, ledger, priceBook } = money;
  const { registry, hosting, callableModels } = models;
  const currentPlan = planCache.current;
  const coldStatus = settings.FEATHER_COLD_STATUS;
  const line = createWaitingLine();
  const units = createUnits(clock, line);
  const usage = createUsageWriter(db, log, createSettlement(ledger, reservations, clock));
  const refusals = createRefusals(db, clock, log);
  const running = createRunningCalls();
  const serving = createServing({ registry, modelHost: hosting.host, line, clock, coldStatus });
  const timeouts = {
    firstByteMs: settings.FEATHER_FIRST_BYTE_TIMEOUT * 1000,
    idleMs: settings.FEATHER_STREAM_IDLE_TIMEOUT * 1000,
    keepAliveMs: settings.FEATHER_STREAM_KEEP_ALIVE * 1000,
    stalledMs: settings.FEATHER_STALLED_TIMEOUT * 1000,
  };
  const { memory, findFor } = hosting;
  const privateCloud = createPrivateCloud({
    db,
    places: [createLocalProvider({ start: startEngine, memory, findModel: findFor, clock })],
    models: callableModels,
    plans,
    currentPlan,
    audit,
    running,
    usage,
    timeouts,
    remoteMedia: settings.FEATHER_REMOTE_MEDIA,
    line,
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
    endedKeysJob: createEndedKeysJob(db, running, clock),
    serving,
    privateCloud,
    privateModels: createPrivateModels({
      db,
      privateModels: createPrivateModelsRepository(db),
      hub,
      hosting,
      plans,
      deploymentsOf: privateCloud.rows.countOfModel,
      forgetModels: callableModels.forget,
      audit,
      clock,
    }),
    pipeline: createPipeline({
      serving,
      models: callableModels,
      currentPlan,
      unitsOf,
      registry,
      units,
      refused: refusals.add,
      switches: createModelSwitches(clock),
      daily: createDailyLimit(db, clock),
      credits: createCreditsStage(priceBook, reservations),
      usage,
      timeouts,
      remoteMedia: settings.FEATHER_REMOTE_MEDIA,
    }),
    tokenizer: createTokenizer({ models: callableModels, registry, currentPlan }),
    preflight: createPreflight({
      models: callableModels,
      registry,
      modelHost: hosting.host,
      units,
      currentPlan,
      unitsOf,
      priceOf: async (model, tokens) => {
        const price = await priceBook.of(model);
        return price && costOf(price, { ...tokens, images: 0 });
      },
      creditsOf: async (organizationId) => (await credits.balance(organizationId)).available,
    }),
  };
}
