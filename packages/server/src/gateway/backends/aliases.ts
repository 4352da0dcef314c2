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

/** A model by its name at a backend, with the id that its list or its provider is known to mean; null if it is not known. */
type NamedModel = { readonly name: string; readonly knownId?: string | null };

/**
 * Returns the id of each model of a backend: its alias, the known id, or what follows from its name. An id belongs to the
 * model with the alias, then to the one whose name it follows from, then to the first with that known id, variants such as
 * `name:free` last. A model whose known id is taken has the id that follows from its name.
 */
export function identifyModels<Model extends NamedModel>(
  backend: string,
  models: readonly Model[],
  aliases: readonly ModelAlias[],
): IdentifiedModel<Model>[] {
  const aliasByName = new Map(aliases.map(({ name, as }) => [name, as]));
  const nameById = new Map<string, string>();
  const claim = (id: string, { name }: Model) => {
    if (!nameById.has(id.toLowerCase())) nameById.set(id.toLowerCase(), name);
  };
  const isOwner = (id: string, { name }: Model) => nameById.get(id.toLowerCase()) === name;
  const others = models.filter(({ name }) => !aliasByName.has(name));
  for (const model of models) {
    const alias = aliasByName.get(model.name);
    if (alias !== undefined) claim(alias, model);
  }
  for (const model of others) if (!model.knownId) claim(toCatalogueId(backend, model.name), model);
  for (const model of others.toSorted((a, b) => countVariant(a) - countVariant(b)))
    if (model.knownId) claim(model.knownId, model);
  const idOf = (model: Model) => {
    const alias = aliasByName.get(model.name);
    if (alias !== undefined) return alias;
    const { knownId } = model;
    return knownId && isOwner(knownId, model) ? knownId : toCatalogueId(backend, model.name);
  };
  for (const model of models) claim(idOf(model), model);
  return models.map((model) => {
    const id = idOf(model);
    if (!isModelId(id)) return { model, id: null, problem: "not_an_id" };
    if (!isOwner(id, model)) return { model, id: null, problem: "same_id" };
    return { model, id, problem: null };
  });
}

const countVariant = ({ name }: NamedModel): number => (name.includes(":") ? 1 : 0);

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
