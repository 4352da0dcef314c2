import type { Schemas } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

export type Application = Schemas["Application"];

export const applicationsQuery = queryOptions({
  queryKey: ["applications"],
  queryFn: async () => feather.applications.list(),
});

export const applicationQuery = (id: string) =>
  queryOptions({ queryKey: ["applications", id], queryFn: async () => feather.applications.get(id) });
