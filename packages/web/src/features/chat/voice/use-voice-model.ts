import { useQuery } from "@tanstack/react-query";
import { findModelCall, type ModelCall } from "#/entities/models/model-call.ts";
import { modelsQuery } from "#/entities/models/queries.ts";

const MODELS_PER_PAGE = 100;

/**
 * Returns the id of a model that answers now and writes down speech, or reads aloud; null if there is none, and undefined while that
 * is not known. Models are looked up only where `isNeeded`.
 */
export function useVoiceModel(
  call: ModelCall & ("transcription" | "speech"),
  isNeeded: boolean,
): string | null | undefined {
  const { data, isError } = useQuery({
    ...modelsQuery({ availability: "warm", perPage: MODELS_PER_PAGE }),
    enabled: isNeeded,
  });
  if (!isNeeded || isError) return null;
  if (data === undefined) return undefined;
  const callable = data.items.filter((model) => model.access?.callable !== false);
  return callable.find((model) => findModelCall(model) === call)?.id ?? null;
}
