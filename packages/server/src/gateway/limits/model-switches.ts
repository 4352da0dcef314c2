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

  /** Returns the models that an organization called in the last minute, with the times at which they are free again. */
  function listRecent(organizationId: string, now: number): Map<string, number> {
    const models = recent.get(organizationId) ?? new Map<string, number>();
    for (const [id, freeAt] of models) if (freeAt <= now) models.delete(id);
    return models;
  }

  return {
    async findRefusal(organizationId, model, limit) {
      const now = clock.now().getTime();
      const freeInMs = limit === null ? null : computeFreeInMs(listRecent(organizationId, now), model, limit, now);
      return limit === null || freeInMs === null ? null : tooManySwitches(limit, freeInMs);
    },

    consume(organizationId, model, limit) {
      if (limit === null) return () => {};
      const now = clock.now().getTime();
      const models = listRecent(organizationId, now);
      const freeInMs = computeFreeInMs(models, model, limit, now);
      if (freeInMs !== null) throw tooManySwitches(limit, freeInMs);
      recent.set(organizationId, models);
      const previous = models.get(model);
      models.set(model, now + MINUTE_MS);
      return () => {
        if (previous === undefined) models.delete(model);
        else models.set(model, previous);
      };
    },
  };
}

/**
 * Returns null if a model may be called, otherwise the milliseconds until it may. `freeAt` are the called models, with the
 * times at which they do not count any more.
 */
export function computeFreeInMs(freeAt: ReadonlyMap<string, number>, model: string, limit: number, now: number) {
  if (freeAt.has(model) || freeAt.size < limit) return null;
  return Math.min(MINUTE_MS, ...[...freeAt.values()].map((at) => at - now));
}

/** Returns the error for exceeding the limit of models. A model can be called again in `freeInMs`. */
export function tooManySwitches(limit: number, freeInMs: number): AppError {
  const seconds = Math.ceil(freeInMs / SECOND_MS);
  const message = `The plan allows ${limit} different models a minute (plan limit: ${limit}). Call one of those, or try again in ${seconds} s.`;
  return errors.modelSwitchLimit(message, {
    retryAfterSeconds: Math.min(Math.max(1, seconds), 30),
    details: { limit },
  });
}
