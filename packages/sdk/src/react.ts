/**
 * Options for TanStack Query, one set for every call. `@tanstack/react-query` 5 is a peer dependency.
 *
 * ```tsx
 * import { createQueries } from "@feather/sdk/react";
 *
 * const queries = createQueries(feather);
 * const keys = useQuery(queries.apiKeys.list.queryOptions({ perPage: 50 }));
 * const create = useMutation(queries.apiKeys.create.mutationOptions());
 * create.mutate({ name: "laptop" }, { onSuccess: () => client.invalidateQueries({ queryKey: queries.apiKeys.key() }) });
 * ```
 */
import { infiniteQueryOptions, mutationOptions, queryOptions } from "@tanstack/react-query";
import type { ApiPromise, PagedPromise } from "./api-promise.ts";
import type { Feather } from "./client.ts";
import type { Resources } from "./generated/resources.ts";
import { ROUTES } from "./generated/routes.ts";

/** What a call takes, without the options of the request, which stand last. Only the last input may be optional. */
type Inputs<A extends unknown[]> =
  Required<A> extends [unknown]
    ? []
    : Required<A> extends [infer X, unknown]
      ? A extends [unknown, ...unknown[]]
        ? [X]
        : [X?]
      : Required<A> extends [infer X, infer Y, unknown]
        ? A extends [unknown, unknown, ...unknown[]]
          ? [X, Y]
          : [X, Y?]
        : Required<A> extends [infer X, infer Y, infer Z, unknown]
          ? A extends [unknown, unknown, unknown, ...unknown[]]
            ? [X, Y, Z]
            : [X, Y, Z?]
          : A;
/** What a mutation is given: the one input of a call, or all of them in order; nothing where it takes none. */
// biome-ignore-start lint/suspicious/noConfusingVoidType: TanStack Query lets `mutate()` be called without an argument for `void` only
type Variables<A extends unknown[]> = A extends []
  ? void
  : A extends [unknown]
    ? A[0]
    : A["length"] extends 0 | 1
      ? A[0] | void
      : A;
// biome-ignore-end lint/suspicious/noConfusingVoidType: as above

type Keyed = {
  /** What the keys of all queries below begin with, to invalidate them together. */
  key(): readonly string[];
};

type QueryOptionsOf<R> = ReturnType<typeof queryOptions<R, Error, R, readonly unknown[]>>;

/** The options of one call. */
export type CallQueries<A extends unknown[], R> = {
  /** The key of this call, with its inputs where they are given. */
  key(...inputs: Partial<A>): readonly unknown[];
  /** For `useQuery`, `prefetchQuery` … The query's signal ends the request. */
  queryOptions(...inputs: A): QueryOptionsOf<R>;
  /** For `useMutation`. */
  mutationOptions(): { mutationKey: readonly string[]; mutationFn: (variables: Variables<A>) => Promise<R> };
};

/** The options of a call that answers pages. */
export type PagedQueries<A extends unknown[], R> = CallQueries<A, R> & {
  /** For `useInfiniteQuery`: page by page. */
  infiniteQueryOptions(
    ...inputs: A
  ): ReturnType<
    typeof infiniteQueryOptions<R, Error, { pages: R[]; pageParams: number[] }, readonly unknown[], number>
  >;
};

/** The calls of a client, each with its options instead. Calls that stream are left out. */
export type Queries<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer P
    ? P extends PagedPromise<infer R>
      ? PagedQueries<Inputs<A>, R>
      : P extends ApiPromise<infer R>
        ? CallQueries<Inputs<A>, R>
        : never
    : Queries<T[K]> & Keyed;
};

type Call = (...args: unknown[]) => Promise<unknown>;
type Page = { pagination: { current_page: number; total_pages: number } };

/** Makes the options of all calls of a client. Keys are the names of the call and its inputs: `["apiKeys", "list", { perPage: 50 }]`. */
export function createQueries(feather: Feather): Queries<Resources> {
  type Node = { [name: string]: unknown };
  const root: Node = {};
  for (const [id, route] of Object.entries(ROUTES)) {
    const names = id.split(".");
    const last = names.at(-1) ?? "";
    let queries = root;
    let calls = feather as unknown as Node;
    for (const [depth, name] of names.slice(0, -1).entries()) {
      queries[name] ??= { key: () => names.slice(0, depth + 1) };
      queries = queries[name] as Node;
      calls = calls[name] as Node;
    }
    queries[last] = callQueries(names, route, calls[last] as Call);
  }
  return root as unknown as Queries<Resources>;
}

function callQueries(names: readonly string[], route: string, call: Call) {
  const [, path = "", input = ""] = route.split(" ");
  const arity = (path.match(/{/g)?.length ?? 0) + (input === "" ? 0 : 1);
  /** The inputs, with a place for each that was left out, so that options come after them. */
  const padded = (inputs: readonly unknown[]): unknown[] => Array.from({ length: arity }, (_, index) => inputs[index]);
  const key = (...inputs: unknown[]) => [...names, ...inputs.filter((one) => one !== undefined)];
  return {
    key,
    queryOptions: (...inputs: unknown[]) =>
      queryOptions({
        queryKey: key(...inputs),
        queryFn: async ({ signal }) => (await call(...padded(inputs), { signal })) ?? null,
      }),
    infiniteQueryOptions: (...inputs: unknown[]) =>
      infiniteQueryOptions({
        queryKey: [...key(...inputs), "pages"],
        queryFn: ({ signal, pageParam }) =>
          call(...padded(inputs), { signal, query: { page: pageParam } }) as Promise<Page>,
        initialPageParam: 1,
        getNextPageParam: ({ pagination: { current_page, total_pages } }) =>
          current_page < total_pages ? current_page + 1 : undefined,
      }),
    mutationOptions: () =>
      mutationOptions({
        mutationKey: [...names],
        mutationFn: async (variables: unknown) => call(...padded(arity > 1 ? (variables as unknown[]) : [variables])),
      }),
  };
}
