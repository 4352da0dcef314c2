import { useQuery } from "@tanstack/react-query";
import { modelsQuery } from "#/features/catalogue/queries.ts";

const FALLBACK_MODEL = "feather/demo";

/** A model that answers now, for examples that work as they stand. */
export function useSampleModel(): string {
  const { data } = useQuery(modelsQuery({ availability: "warm", perPage: 8 }));
  return data?.items[0]?.id ?? FALLBACK_MODEL;
}
