/**
 * Options for TanStack Query 5 in any framework, one set for every call.
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
import type { ApiPromise, PagedPromise } from "./call/api-promise.ts";
import type { Feather } from "./client.ts";
import type { Resources } from "./generated/resources.ts";
import { mapOperations, type OperationTree, pathParametersOf } from "./operations.ts";
import type { EventStream } from "./stream/event-stream.ts";

/** The inputs of a call, without the request options at the end. Only the last input may be optional. */
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
/** The variables of a mutation: the only input of a call, all inputs in order, or `void` for a call without inputs. */
// biome-ignore-start lint/suspicious/noConfusingVoidType: TanStack Query lets `mutate()` be called without an argument for `void` only
type Variables<A extends unknown[]> = A extends []
  ? void
  : A extends [unknown]
    ? A[0]
    : A["length"] extends 0 | 1
      ? A[0] | void
      : A;
// biome-ignore-end lint/suspicious/noConfusingVoidType: as above

type WithKey = {
  /** Returns the common prefix of the keys of all calls below, to invalidate them together. */
  key(): readonly string[];
};

/** Options for `useQuery` and similar. Structural types, so that they fit any copy of TanStack Query. */
export type QueryOptions<R> = {
  queryKey: readonly unknown[];
  queryFn: (context: { signal: AbortSignal }) => Promise<R>;
};

/** Options for `useInfiniteQuery` and similar. */
export type InfiniteQueryOptions<R> = {
  queryKey: readonly unknown[];
  queryFn: (context: { signal: AbortSignal; pageParam: number }) => Promise<R>;
  initialPageParam: number;
  getNextPageParam: (last: R, pages: R[], lastPageParam: number) => number | undefined;
};

/** Options for `useMutation`. */
export type MutationOptions<V, R> = { mutationKey: readonly string[]; mutationFn: (variables: V) => Promise<R> };

/** Creates the options of one call. */
export type CallQueries<A extends unknown[], R> = {
  /** Returns the query key of this call, with the inputs given. */
  key(...inputs: Partial<A>): readonly unknown[];
  /** For `useQuery`, `prefetchQuery` … The query's signal aborts the request. */
  queryOptions(...inputs: A): QueryOptions<R>;
  /** For `useMutation`. */
  mutationOptions(): MutationOptions<Variables<A>, R>;
};

/** Creates the options of a call that returns a paginated list. */
export type PagedQueries<A extends unknown[], R> = CallQueries<A, R> & {
  /** For `useInfiniteQuery`: page by page. */
  infiniteQueryOptions(...inputs: A): InfiniteQueryOptions<R>;
};

/** The calls of a client with query options in place of the methods. Calls that only stream are omitted. */
export type Queries<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer P
    ? P extends PagedPromise<infer R>
      ? PagedQueries<Inputs<A>, R>
      : P extends ApiPromise<infer R>
        ? CallQueries<Inputs<A>, Exclude<R, EventStream<unknown>>>
        : never
    : Queries<T[K]> & WithKey;
};

type Call = (...args: unknown[]) => Promise<unknown>;
type Page = { pagination: { current_page: number; total_pages: number } };

/** Creates the query options of all calls of a client. A key is the call's name and its inputs: `["apiKeys", "list", { perPage: 50 }]`. */
export function createQueries(feather: Feather): Queries<Resources> {
  const tree = mapOperations(({ path, input }, id) => {
    const names = id.split(".");
    const call = names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], feather) as Call;
    return createCallQueries(names, pathParametersOf(path).length + (input === undefined ? 0 : 1), call);
  });
  return addKeys(tree, []) as Queries<Resources>;
}

type CallQueryOptions = ReturnType<typeof createCallQueries>;

/** Adds `key()` to each node above the calls. */
function addKeys(tree: OperationTree<CallQueryOptions>, names: readonly string[]): object {
  const children = Object.entries(tree).map(([name, child]) => {
    const isCall = typeof child.queryOptions === "function";
    return [name, isCall ? child : addKeys(child as OperationTree<CallQueryOptions>, [...names, name])];
  });
  return { key: () => names, ...Object.fromEntries(children) };
}

function createCallQueries(names: readonly string[], arity: number, call: Call) {
  /** Pads omitted inputs with undefined, so that the request options are the last argument. */
  const padInputs = (inputs: readonly unknown[]): unknown[] =>
    Array.from({ length: arity }, (_, index) => inputs[index]);
  const key = (...inputs: unknown[]) => [...names, ...inputs.filter((one) => one !== undefined)];
  return {
    key,
    queryOptions: (...inputs: unknown[]): QueryOptions<unknown> => ({
      queryKey: key(...inputs),
      queryFn: async ({ signal }) => (await call(...padInputs(inputs), { signal })) ?? null,
    }),
    infiniteQueryOptions: (...inputs: unknown[]): InfiniteQueryOptions<Page> => ({
      queryKey: [...key(...inputs), "pages"],
      queryFn: async ({ signal, pageParam }) =>
        (await call(...padInputs(inputs), { signal, query: { page: pageParam } })) as Page,
      initialPageParam: 1,
      // A page before the requested one is none to go on from: it would be read for ever.
      getNextPageParam: ({ pagination: { current_page, total_pages } }, _pages, requestedPage) =>
        current_page >= requestedPage && current_page < total_pages ? current_page + 1 : undefined,
    }),
    mutationOptions: (): MutationOptions<unknown, unknown> => ({
      mutationKey: [...names],
      mutationFn: async (variables) => call(...padInputs(arity > 1 ? (variables as unknown[]) : [variables])),
    }),
  };
}
