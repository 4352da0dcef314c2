import type { Schemas } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** An OAuth application of the organization. */
export type Application = Schemas["Application"];

/** The organization's applications. */
export const applicationsQuery = queryOptions({
  ...queries.applications.list.queryOptions(),
});

/** One application by its id. */
export const applicationQuery = (id: string) => queryOptions({ ...queries.applications.get.queryOptions(id) });
