import type { Schemas } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

/** An OAuth application of the organization. */
export type Application = Schemas["Application"];

/** The organization's applications. */
export const applicationsQuery = queryOptions({
  queryKey: ["applications"],
  queryFn: async () => feather.applications.list(),
});

/** One application by its id. */
export const applicationQuery = (id: string) =>
  queryOptions({ queryKey: ["applications", id], queryFn: async () => feather.applications.get(id) });
