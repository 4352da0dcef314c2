import { useQuery } from "@tanstack/react-query";
import { modelsQuery } from "#/entities/models/queries.ts";

const FALLBACK_MODEL = "feather/demo";

/** Returns the id of a warm model, so that examples work as they are. */
export function useSampleModel(): string {
  const { data } = useQuery(modelsQuery({ availability: "warm", perPage: 8 }));
  return data?.items[0]?.id ?? FALLBACK_MODEL;
}
