import { isApiError, isNotFound } from "@feather/sdk";
import { useQueries, useQuery } from "@tanstack/react-query";
import { modelQuery, modelsQuery } from "#/features/catalogue/queries.ts";
import { suggestionsOf } from "#/features/catalogue/suggestions.ts";
import { usualModel } from "#/features/catalogue/usual-model.ts";
import { listOf } from "#/lib/format.ts";
import { MOST_MODELS, nameOf } from "./types.ts";

/** A requested model that the server does not know, with similar ids. */
export type UnknownModel = { id: string; suggestions: readonly string[] };

/** The models of the conversation and their details. If none is requested, a warm default. */
export function useModels(wanted: readonly string[]) {
  const { data: warm, isPending } = useQuery({
    ...modelsQuery({ availability: "warm", perPage: 50 }),
    enabled: wanted.length === 0,
  });
  const usual = isPending ? [] : [usualModel(warm?.items ?? [])];
  const ids = wanted.length > 0 ? [...new Set(wanted)].slice(0, MOST_MODELS) : usual;
  const asked = useQueries({ queries: ids.map((id) => modelQuery(id)) });
  const known = asked.flatMap(({ data }) => (data ? [data] : []));
  const unknown = ids.flatMap((id, index): UnknownModel[] => {
    const error = asked[index]?.error;
    return isApiError(error) && isNotFound(error) ? [{ id, suggestions: suggestionsOf(error) }] : [];
  });
  const contexts = known.flatMap((model) => model.access?.effective_context_length ?? model.context_length ?? []);
  return {
    ids,
    known,
    unknown,
    names: listOf(ids.map(nameOf)),
    units: known.reduce((sum, model) => sum + model.concurrency_cost, 0),
    images: known.length === ids.length && known.every(({ features }) => features.image_input),
    context: contexts.length > 0 ? Math.min(...contexts) : null,
    waiting: known.filter(({ availability }) => availability.tier !== "warm"),
  };
}

/** The object returned by `useChatModels`. */
export type ChosenModels = ReturnType<typeof useModels>;
