import type { components } from "@feather/openapi/schema";
import type { BackendRegistry } from "../../gateway/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { AliasRow, RoutingRepository, StoredRules } from "./routing.repository.ts";
import type { RoutingRulesReader } from "./routing-rules.ts";

type RoutingAlias = components["schemas"]["RoutingAlias"];
type RoutingDto = components["schemas"]["Routing"];
type RoutingUpdate = components["schemas"]["RoutingUpdate"];

type Deps = {
  routingRepository: RoutingRepository;
  rules: Pick<RoutingRulesReader, "invalidate">;
  registry: Pick<BackendRegistry, "list">;
  clock: Clock;
};

/** The number of aliases that an installation can have: each process keeps all of them in memory. */
const MAX_ALIASES = 500;

/** Creates the use cases of the operator's rules: the order of backends, the fee of own keys, and the aliases of models. */
export function createRouting(deps: Deps) {
  return bind(deps, { readRules, setRules, listAliases, setAlias, deleteAlias });
}

export type Routing = ReturnType<typeof createRouting>;

async function readRules({ routingRepository }: Deps): Promise<RoutingDto> {
  return toRulesDto(await routingRepository.readRules());
}

async function setRules({ routingRepository, rules }: Deps, change: RoutingUpdate): Promise<RoutingDto> {
  const { order, own_key_fee_percent: ownKeyFeePercent, refuse_below_cost: refusesBelowCost } = change;
  const changed = await routingRepository.setRules({
    order,
    ...(ownKeyFeePercent !== undefined && { ownKeyFeePercent }),
    ...(refusesBelowCost !== undefined && { refusesBelowCost }),
  });
  rules.invalidate();
  return toRulesDto(changed);
}

const toRulesDto = ({ order, ownKeyFeePercent, refusesBelowCost }: StoredRules): RoutingDto => ({
  order,
  own_key_fee_percent: ownKeyFeePercent,
  refuse_below_cost: refusesBelowCost,
});

async function listAliases({ routingRepository }: Deps): Promise<RoutingAlias[]> {
  const rows = await routingRepository.listAliases();
  const known = await routingRepository.listKnownModels(rows.flatMap(({ name, models }) => [name, ...models]));
  return rows.map((row) => toAliasDto(row, known));
}

/**
 * Creates an alias or replaces its models. Throws `routing.name_of_model`, `routing.alias_of_alias`, `routing.name_of_target`,
 * `routing.too_many_aliases`, and `invalid_request` for a model that is named twice.
 */
async function setAlias(deps: Deps, given: string, models: readonly string[]): Promise<RoutingAlias> {
  const { routingRepository, rules, clock } = deps;
  const name = given.toLowerCase();
  refuseRepetition(models);
  const [aliases, known] = await Promise.all([
    routingRepository.listAliases(),
    routingRepository.listKnownModels([name, ...models]),
  ]);
  if (known.has(name) || isServed(deps, name)) throw errors.routing.nameOfModel({ name });
  refuseChain(name, models, aliases);
  const isNew = !aliases.some((alias) => alias.name === name);
  if (isNew && aliases.length >= MAX_ALIASES) throw errors.routing.tooManyAliases({ max: MAX_ALIASES });
  const row = await routingRepository.setAlias({ name, models: [...models], updated_at: clock.now() });
  rules.invalidate();
  return toAliasDto(row, known);
}

/** Throws `routing.alias_not_found` if there is no alias of this name. */
async function deleteAlias({ routingRepository, rules }: Deps, name: string): Promise<void> {
  if (!(await routingRepository.deleteAlias(name.toLowerCase()))) throw errors.routing.aliasNotFound();
  rules.invalidate();
}

function refuseRepetition(models: readonly string[]): void {
  const repeated = models.find(
    (id, index) => models.findIndex((other) => other.toLowerCase() === id.toLowerCase()) < index,
  );
  if (repeated !== undefined) throw errors.invalidRequest(`${repeated} is named twice.`, { param: "models" });
}

/** Throws if the alias would stand for another one, or another one for it. */
function refuseChain(name: string, models: readonly string[], aliases: readonly AliasRow[]): void {
  const names = new Set([name, ...aliases.map((alias) => alias.name)]);
  const chained = models.find((id) => names.has(id.toLowerCase()));
  if (chained !== undefined) throw errors.routing.aliasOfAlias({ name: chained }, { param: "models" });
  const user = aliases.find((alias) => alias.models.some((id) => id.toLowerCase() === name));
  if (user) throw errors.routing.nameOfTarget({ alias: user.name, name });
}

/** Returns whether a backend runs a model of this id, which the catalogue may not have yet. */
function isServed({ registry }: Deps, name: string): boolean {
  return registry.list().some(({ models }) => [...models.keys()].some((id) => id.toLowerCase() === name));
}

function toAliasDto({ name, models, updated_at }: AliasRow, known: ReadonlySet<string>): RoutingAlias {
  return {
    name,
    models,
    unknown_models: models.filter((id) => !known.has(id.toLowerCase())),
    is_hidden: known.has(name),
    updated_at: updated_at.toISOString(),
  };
}
