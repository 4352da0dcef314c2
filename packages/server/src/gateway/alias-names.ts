import { AppError } from "../platform/core/errors/index.ts";
import type { NamedModel } from "./fallbacks.ts";
import type { Alias, ModelLookup, ReadRoutingRules, RoutingRules } from "./ports.ts";

type Deps = { models: Pick<ModelLookup, "exists">; readRules: ReadRoutingRules };

/** Returns the alias of a name; undefined if there is none. */
export function findAlias({ aliases }: RoutingRules, name: string): Alias | undefined {
  return aliases.size === 0 ? undefined : aliases.get(name.toLowerCase());
}

/**
 * Returns the models that the names of a call stand for, each once, in the order in which they are tried. Where a model has the
 * name of an alias, it is called.
 */
export async function resolveNames(
  models: Pick<ModelLookup, "exists">,
  rules: RoutingRules,
  names: readonly string[],
  organizationId: string,
): Promise<NamedModel[]> {
  const byId = new Map<string, NamedModel>();
  for (const name of names) {
    const alias = findAlias(rules, name);
    const isAlias = alias !== undefined && !(await models.exists(name, organizationId));
    for (const id of isAlias ? alias.models : [name])
      if (!byId.has(id.toLowerCase())) byId.set(id.toLowerCase(), { id, alias: isAlias ? alias.name : null });
  }
  return [...byId.values()];
}

/** Creates what returns the ids of the models that a name stands for: its own, or those of the alias. */
export function createListModelsOf({ models, readRules }: Deps) {
  return async (name: string, organizationId: string): Promise<string[]> => {
    const named = await resolveNames(models, await readRules(), [name], organizationId);
    return named.map(({ id }) => id);
  };
}

export type ListModelsOf = ReturnType<typeof createListModelsOf>;

/**
 * Returns the result for the first model that is accepted, or the first result if none is. Throws the refusal of the first model
 * if all are refused, and any other error at once.
 */
export async function findFirst<T>(
  ids: readonly string[],
  find: (id: string) => Promise<T>,
  isAccepted: (result: T) => boolean = () => true,
): Promise<T> {
  const results: T[] = [];
  const refusals: AppError[] = [];
  for (const id of ids)
    try {
      const result = await find(id);
      if (isAccepted(result)) return result;
      results.push(result);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      refusals.push(error);
    }
  const [first] = results;
  if (first === undefined) throw refusals[0];
  return first;
}
