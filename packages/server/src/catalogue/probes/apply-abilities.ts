import type { BackendRegistry } from "../../gateway/index.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ProbeRow } from "./probes.repository.ts";

type Deps = {
  db: Database;
  registry: Pick<BackendRegistry, "candidates">;
  listResults(modelKey: string): Promise<ProbeRow[]>;
  /** Discards the cached models, so that calls follow the change. */
  invalidateModels(): void;
};

/** The abilities that the catalogue lists, with the tag and the modality that stand for them. */
const LISTED = [
  { ability: "tools", tag: "tool-use", modality: null },
  { ability: "vision", tag: "vision", modality: "image" },
] as const;

/** The source of models that an administrator has described, and of those that only lists of backends describe. */
const OPERATOR_SOURCE = "operator";
const BACKEND_SOURCE = "backend";

/**
 * Brings what the catalogue says of a model in line with what it has shown. One backend at which it has shown an ability is
 * enough for it to have it. If it has failed at every backend that runs it, an ability is removed that only lists of backends
 * or an earlier probe have stated. What an administrator has set is never changed.
 */
export async function applyAbilities(deps: Deps, modelKey: string): Promise<void> {
  const { db, registry, invalidateModels } = deps;
  const [results, model] = await Promise.all([deps.listResults(modelKey), findModel(db, modelKey)]);
  if (!model) return;
  const backends = registry.candidates(modelKey).map(({ name }) => name);
  let { tags, input_modalities, probed_abilities } = model;
  for (const { ability, tag, modality } of LISTED) {
    const resultAt = new Map(
      results.filter((row) => row.ability === ability).map(({ backend, result }) => [backend, result]),
    );
    const isListed = tags.includes(tag) && (modality === null || input_modalities.includes(modality));
    if (!isListed && [...resultAt.values()].includes("yes")) {
      tags = withItem(tags, tag);
      if (modality !== null) input_modalities = withItem(input_modalities, modality);
      probed_abilities = withItem(probed_abilities, ability);
      continue;
    }
    const hasFailed = backends.length > 0 && backends.every((name) => resultAt.get(name) === "no");
    const mayRemove = model.source === BACKEND_SOURCE || probed_abilities.includes(ability);
    if (!hasFailed || !mayRemove) continue;
    tags = tags.filter((item) => item !== tag);
    input_modalities = input_modalities.filter((item) => item !== modality);
    probed_abilities = probed_abilities.filter((item) => item !== ability);
  }
  if (tags.length === model.tags.length && input_modalities.length === model.input_modalities.length) return;
  await db
    .updateTable("models")
    .set({ tags, input_modalities, probed_abilities })
    .where("id", "=", modelKey)
    .where("source", "<>", OPERATOR_SOURCE)
    .where("abilities_by_operator", "=", false)
    .execute();
  invalidateModels();
}

function findModel(db: Database, modelKey: string) {
  return db
    .selectFrom("models")
    .select(["source", "tags", "input_modalities", "probed_abilities"])
    .where("id", "=", modelKey)
    .executeTakeFirst();
}

const withItem = (items: readonly string[], item: string): string[] => [...new Set([...items, item])];
