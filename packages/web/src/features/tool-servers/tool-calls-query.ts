import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

const CALLS_PER_PAGE = 20;

/** One page of the calls of the organization's members to tools. */
export const toolCallsQuery = (page: number) =>
  queryOptions({
    ...queries.tools.calls.list.queryOptions({ page, perPage: CALLS_PER_PAGE }),
    placeholderData: keepPreviousData,
  });
