import { findAlias, type ReadRoutingRules } from "../../gateway/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { CallableModels } from "./callable-models.ts";
import type { CatalogueRepository, ModelRow } from "./catalogue.repository.ts";
import type { Viewer } from "./viewer.ts";

/** An alias with the models that it stands for, and the row of the first one that the catalogue has. */
export type AliasModel = { name: string; models: readonly string[]; row: ModelRow };

type Deps = {
  readRules: ReadRoutingRules;
  callableModels: Pick<CallableModels, "exists">;
  catalogueRepository: Pick<CatalogueRepository, "listByIds">;
};

/** Creates what describes aliases as models. Those of which the catalogue has no model, and those hidden by one, are left out. */
export function createAliasModels(deps: Deps) {
  return bind(deps, { list: listAliasModels, find: findAliasModel });
}

export type AliasModels = ReturnType<typeof createAliasModels>;

/** Returns all aliases by name. */
async function listAliasModels({ readRules, catalogueRepository }: Deps, viewer: Viewer): Promise<AliasModel[]> {
  const aliases = [...(await readRules()).aliases.values()];
  if (aliases.length === 0) return [];
  const ids = aliases.flatMap(({ name, models }) => [name, ...models]);
  const rows = await catalogueRepository.listByIds(ids, viewer);
  const rowById = new Map(rows.map((row) => [row.id.toLowerCase(), row]));
  return aliases.flatMap(({ name, models }) => {
    const row = models.map((id) => rowById.get(id.toLowerCase())).find((found) => found !== undefined);
    return row === undefined || rowById.has(name) ? [] : [{ name, models, row }];
  });
}

/** Returns an alias by its name; null if there is none, or if the viewer calls a model by this name. */
async function findAliasModel(deps: Deps, viewer: Viewer, name: string): Promise<AliasModel | null> {
  const { readRules, callableModels } = deps;
  if (findAlias(await readRules(), name) === undefined) return null;
  if (await callableModels.exists(name, viewer.organizationId ?? "")) return null;
  return (await listAliasModels(deps, viewer)).find((alias) => alias.name === name.toLowerCase()) ?? null;
}
