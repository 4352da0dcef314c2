import type { Clock } from "../../platform/core/clock.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { MINUTE_MS, SECOND_MS } from "../../platform/core/time.ts";

/** Undoes the record of a call to a model. */
export type RefundSwitch = () => void;

/** Limits the different models that an organization calls in a rolling minute. Calls to the same model are free. */
export type ModelSwitches = {
  /** Returns the error that `consume` would throw now, or null. Records nothing. */
  findRefusal(organizationId: string, model: string, limit: number | null): Promise<AppError | null>;
  /**
   * Records a call to a model. Throws `model_switch_limit`. Returns the function that undoes the record if the call is
   * refused later; a promise of it only if the database must be queried.
   */
  consume(organizationId: string, model: string, limit: number | null): RefundSwitch | Promise<RefundSwitch>;
};

/** Creates the limit of a process that works on its database alone: it counts in memory. */
export function createModelSwitches(clock: Clock): ModelSwitches {
  const recent = new Map<string, Map<string, number>>();

  /** Returns the models that an organization called in the last minute, with the times of the last calls. */
  function listRecent(organizationId: string, now: number): Map<string, number> {
    const models = recent.get(organizationId) ?? new Map<string, number>();
    for (const [id, at] of models) if (now - at >= MINUTE_MS) models.delete(id);
    return models;
  }

  return {
    async findRefusal(organizationId, model, limit) {
      const now = clock.now().getTime();
      return limit === null ? null : refusalOf(listRecent(organizationId, now), model, limit, now);
    },

    consume(organizationId, model, limit) {
      if (limit === null) return () => {};
      const now = clock.now().getTime();
      const models = listRecent(organizationId, now);
      const refusal = refusalOf(models, model, limit, now);
      if (refusal !== null) throw refusal;
      recent.set(organizationId, models);
      const previousCall = models.get(model);
      models.set(model, now);
      return () => {
        if (previousCall === undefined) models.delete(model);
        else models.set(model, previousCall);
      };
    },
  };
}

function refusalOf(models: ReadonlyMap<string, number>, model: string, limit: number, now: number): AppError | null {
  if (models.has(model) || models.size < limit) return null;
  const oldestCallAt = Math.min(...models.values(), now);
  return tooManySwitches(limit, Math.ceil((MINUTE_MS - (now - oldestCallAt)) / SECOND_MS));
}

/** Returns the error for exceeding the limit of models. `seconds` is the time until a model can be called again. */
export function tooManySwitches(limit: number, seconds: number): AppError {
  const message = `The plan allows ${limit} different models a minute (plan limit: ${limit}). Call one of those, or try again in ${seconds} s.`;
  return errors.modelSwitchLimit(message, {
    retryAfterSeconds: Math.min(Math.max(1, seconds), 30),
    details: { limit },
  });
}
