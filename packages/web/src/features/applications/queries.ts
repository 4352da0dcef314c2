import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** The organization's applications. */
export const applicationsQuery = queryOptions({
  ...queries.applications.list.queryOptions(),
});

/** One application by its id. */
export const applicationQuery = (id: string) => queryOptions({ ...queries.applications.get.queryOptions(id) });
