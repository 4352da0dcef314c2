/**
 * Options for TanStack Query, one set for every call. They fit version 5, of whichever framework.
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
import type { ApiPromise, PagedPromise } from "./api-promise.ts";
import type { Feather } from "./client.ts";
import type { Resources } from "./generated/resources.ts";
import { methods } from "./table.ts";

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

/** Options for `useQuery` and its like. Plain, so that they fit whichever copy of TanStack Query there is. */
export type QueryOptions<R> = {
  queryKey: readonly unknown[];
  queryFn: (context: { signal: AbortSignal }) => Promise<R>;
};

/** Options for `useInfiniteQuery` and its like. */
export type InfiniteQueryOptions<R> = {
  queryKey: readonly unknown[];
  queryFn: (context: { signal: AbortSignal; pageParam: number }) => Promise<R>;
  initialPageParam: number;
  getNextPageParam: (last: R) => number | undefined;
};

/** Options for `useMutation`. */
export type MutationOptions<V, R> = { mutationKey: readonly string[]; mutationFn: (variables: V) => Promise<R> };

/** The options of one call. */
export type CallQueries<A extends unknown[], R> = {
  /** The key of this call, with its inputs where they are given. */
  key(...inputs: Partial<A>): readonly unknown[];
  /** For `useQuery`, `prefetchQuery` … The query's signal ends the request. */
  queryOptions(...inputs: A): QueryOptions<R>;
  /** For `useMutation`. */
  mutationOptions(): MutationOptions<Variables<A>, R>;
};

/** The options of a call that answers pages. */
export type PagedQueries<A extends unknown[], R> = CallQueries<A, R> & {
  /** For `useInfiniteQuery`: page by page. */
  infiniteQueryOptions(...inputs: A): InfiniteQueryOptions<R>;
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
  const tree = methods(({ path, input }, id) => {
    const names = id.split(".");
    const call = names.reduce<unknown>((node, name) => (node as Node)[name], feather) as Call;
    // A function, because leaves of the tree are; it is called once, below.
    return () => callQueries(names, path.split("*").length - 1 + (input === "" ? 0 : 1), call);
  });
  return keyed(tree as Node, []) as Queries<Resources>;
}

type Node = { [name: string]: unknown };

/** The options in place of the functions that make them, and the key of everything below in each node. */
function keyed(tree: Node, names: readonly string[]): Node {
  const node: Node = { key: () => names };
  for (const [name, below] of Object.entries(tree))
    node[name] = typeof below === "function" ? below() : keyed(below as Node, [...names, name]);
  return node;
}

function callQueries(names: readonly string[], arity: number, call: Call) {
  /** The inputs, with a place for each that was left out, so that options come after them. */
  const padded = (inputs: readonly unknown[]): unknown[] => Array.from({ length: arity }, (_, index) => inputs[index]);
  const key = (...inputs: unknown[]) => [...names, ...inputs.filter((one) => one !== undefined)];
  return {
    key,
    queryOptions: (...inputs: unknown[]): QueryOptions<unknown> => ({
      queryKey: key(...inputs),
      queryFn: async ({ signal }) => (await call(...padded(inputs), { signal })) ?? null,
    }),
    infiniteQueryOptions: (...inputs: unknown[]): InfiniteQueryOptions<Page> => ({
      queryKey: [...key(...inputs), "pages"],
      queryFn: async ({ signal, pageParam }) =>
        (await call(...padded(inputs), { signal, query: { page: pageParam } })) as Page,
      initialPageParam: 1,
      getNextPageParam: ({ pagination: { current_page, total_pages } }) =>
        current_page < total_pages ? current_page + 1 : undefined,
    }),
    mutationOptions: (): MutationOptions<unknown, unknown> => ({
      mutationKey: [...names],
      mutationFn: async (variables) => call(...padded(arity > 1 ? (variables as unknown[]) : [variables])),
    }),
  };
}
