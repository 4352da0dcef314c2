import type { User } from "@feather/sdk";
import { type UseQueryResult, useQueries, useQueryClient } from "@tanstack/react-query";
import type { Command } from "./commands.ts";
import { OWN_SOURCES, type OwnSource } from "./own-things.ts";

/** What was read of the things of a user, by kind. */
export type OwnThings = {
  things: readonly (readonly Command[])[];
  /** The names of the kinds that could not be read. */
  unread: readonly string[];
  isReading: boolean;
};

/** Reads the things of a user that the palette finds by name, when it opens. Nothing is read for visitors. */
export function useOwnThings(user: User | null): OwnThings {
  const client = useQueryClient();
  const sources = user ? OWN_SOURCES.filter(({ mayRead }) => mayRead(user)) : [];
  return useQueries({
    queries: sources.map(({ kind, read }) => ({
      queryKey: ["palette", kind, user?.id, user?.organization.id],
      queryFn: async () => (user ? read(client, user) : []),
      // The palette shows what is there when it opens.
      staleTime: 0,
    })),
    combine: (results) => combineResults(sources, results),
  });
}

const combineResults = (sources: readonly OwnSource[], results: readonly UseQueryResult<Command[]>[]): OwnThings => ({
  things: results.map(({ data }) => uniqueById(data ?? [])),
  unread: sources.filter((_, index) => results[index]?.isError).map(({ name }) => name),
  isReading: results.some(({ isPending }) => isPending),
});

/** A new thing moves others to the next page, so that pages may contain the same one twice. */
const uniqueById = (things: readonly Command[]): Command[] => [...new Map(things.map((one) => [one.id, one])).values()];
