import { useQuery } from "@tanstack/react-query";
import { getDefaultModel } from "#/entities/models/default-model.ts";
import { modelsQuery } from "#/entities/models/queries.ts";

/** Returns the id of a warm model, so that examples work as they are. */
export function useSampleModel(): string {
  const { data } = useQuery(modelsQuery({ availability: "warm", perPage: 8 }));
  return getDefaultModel(data?.items ?? []);
}
