/** An answer together with the HTTP response it came in. */
export type WithResponse<T> = { data: T; response: Response; requestId: string | null };

/** A promise of an answer; `withResponse()` gives the HTTP response too. */
export class ApiPromise<T> implements PromiseLike<T> {
  private readonly start: () => Promise<WithResponse<T>>;
  private started: Promise<WithResponse<T>> | undefined;

  constructor(start: () => Promise<WithResponse<T>>) {
    this.start = start;
  }

  /** The answer with status, headers and request id. */
  withResponse(): Promise<WithResponse<T>> {
    this.started ??= this.start();
    return this.started;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<A = T, B = never>(
    onValue?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onValue, onError);
  }

  catch<B = never>(onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnd) as Promise<T>;
  }
}

type Page<T> = { items: T[]; pagination: { current_page: number; total_pages: number } };
type ItemOf<P> = P extends { items: (infer T)[] } ? T : never;

/** The first page when awaited; every item of every page when iterated. */
export class PagedPromise<P> extends ApiPromise<P> implements AsyncIterable<ItemOf<P>> {
  private readonly pageAt: (page: number) => ApiPromise<P>;

  constructor(start: () => Promise<WithResponse<P>>, pageAt: (page: number) => ApiPromise<P>) {
    super(start);
    this.pageAt = pageAt;
  }

  /** One page after another, fetched as they are asked for. */
  async *pages(): AsyncGenerator<P> {
    let page: P = (await this.withResponse()).data;
    yield page;
    for (let state = paging(page); state && state.current_page < state.total_pages; state = paging(page)) {
      page = (await this.pageAt(state.current_page + 1).withResponse()).data;
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<P>> {
    for await (const page of this.pages()) yield* (page as Page<ItemOf<P>>).items;
  }

  /** Items in an array, at most `limit` of them. */
  async toArray({ limit }: { limit: number }): Promise<ItemOf<P>[]> {
    const items: ItemOf<P>[] = [];
    if (limit <= 0) return items;
    for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }
}

function paging(page: unknown): Page<unknown>["pagination"] | undefined {
  return (page as Partial<Page<unknown>>).pagination;
}
