import { isApiError, isNotFound } from "@feather/sdk";
import { useQueries, useQuery } from "@tanstack/react-query";
import { getDefaultModel } from "#/entities/models/default-model.ts";
import { modelQuery, modelsQuery } from "#/entities/models/queries.ts";
import { getSuggestions } from "#/entities/models/suggestions.ts";
import { formatList } from "#/lib/format.ts";
import { MAX_MODELS, modelName } from "../conversation/types.ts";

/** A requested model that the server does not know, with similar ids. */
export type UnknownModel = { id: string; suggestions: readonly string[] };

/** The models of the conversation and their details. If none is requested, a warm default. */
export function useChatModels(requestedIds: readonly string[]) {
  const { data: warm, isPending } = useQuery({
    ...modelsQuery({ availability: "warm", perPage: 50 }),
    enabled: requestedIds.length === 0,
  });
  const defaultIds = isPending ? [] : [getDefaultModel(warm?.items ?? [])];
  const ids = requestedIds.length > 0 ? [...new Set(requestedIds)].slice(0, MAX_MODELS) : defaultIds;
  const results = useQueries({ queries: ids.map((id) => modelQuery(id)) });
  const foundModels = results.flatMap(({ data }) => (data ? [data] : []));
  const unknownModels = ids.flatMap((id, index): UnknownModel[] => {
    const error = results[index]?.error;
    return isApiError(error) && isNotFound(error) ? [{ id, suggestions: getSuggestions(error) }] : [];
  });
  const contexts = foundModels.flatMap((model) => model.access?.effective_context_length ?? model.context_length ?? []);
  return {
    ids,
    /** Whether no model was asked for, so that the default was chosen. */
    isDefault: requestedIds.length === 0,
    foundModels,
    unknownModels,
    displayNames: formatList(ids.map(modelName)),
    unitCost: foundModels.reduce((sum, model) => sum + model.concurrency_cost, 0),
    acceptImages: foundModels.length === ids.length && foundModels.every(({ features }) => features.image_input),
    contextTokens: contexts.length > 0 ? Math.min(...contexts) : null,
    notWarm: foundModels.filter(({ availability }) => availability.tier !== "warm"),
  };
}

/** The object returned by `useChatModels`. */
export type ChosenModels = ReturnType<typeof useChatModels>;
