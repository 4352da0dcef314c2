import { z } from "zod";
import { isModelId } from "../../platform/core/models/model-ids.ts";
import { toCatalogueId } from "./catalogue-ids.ts";

/** The schema of the aliases of a backend. Each name and each id may be given once. */
export const modelAliases = z
  .array(
    z.strictObject({
      name: z.string().min(1),
      as: z.string().refine(isModelId, "is not a model id (owner/name)"),
    }),
  )
  .superRefine((aliases, context) => {
    for (const message of describeRepetitions(aliases)) context.addIssue({ code: "custom", message });
  });

/** A model by its name at the backend, with the id under which it is called here. */
export type ModelAlias = z.infer<typeof modelAliases>[number];

/** A model of a backend with its id here; the id is null, with the reason, if it cannot be called. */
export type IdentifiedModel<Model> =
  | { readonly model: Model; readonly id: string; readonly problem: null }
  | { readonly model: Model; readonly id: null; readonly problem: "not_an_id" | "same_id" };

/**
 * Returns the id of each model of a backend: its alias, or what follows from its name. Of several with the same id the one
 * with the alias gets it, otherwise the first.
 */
export function identifyModels<Model extends { readonly name: string }>(
  backend: string,
  models: readonly Model[],
  aliases: readonly ModelAlias[],
): IdentifiedModel<Model>[] {
  const aliasByName = new Map(aliases.map(({ name, as }) => [name, as]));
  const idOf = ({ name }: Model) => aliasByName.get(name) ?? toCatalogueId(backend, name);
  const nameById = new Map<string, string>();
  for (const model of [...models.filter(({ name }) => aliasByName.has(name)), ...models]) {
    const id = idOf(model).toLowerCase();
    if (!nameById.has(id)) nameById.set(id, model.name);
  }
  return models.map((model) => {
    const id = idOf(model);
    if (!isModelId(id)) return { model, id: null, problem: "not_an_id" };
    if (nameById.get(id.toLowerCase()) !== model.name) return { model, id: null, problem: "same_id" };
    return { model, id, problem: null };
  });
}

function describeRepetitions(aliases: readonly ModelAlias[]): string[] {
  const names = findRepeated(aliases.map(({ name }) => name));
  const ids = findRepeated(aliases.map(({ as }) => as.toLowerCase()));
  return [
    ...(names === undefined ? [] : [`The model ${names.slice(0, 200)} has two aliases.`]),
    ...(ids === undefined ? [] : [`Two models have the alias ${ids}.`]),
  ];
}

function findRepeated(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return texts.find((text) => seen.size === seen.add(text).size);
}
