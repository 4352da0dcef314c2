import type { SentRequest } from "../fetch/send.ts";

/** The result of a call together with its HTTP response. */
export type WithResponse<T> = {
  data: T;
  /** Status and headers. The body is already read, or owned by the stream. */
  response: Response;
  /** Id of the request, as in logs and receipts; null when the server sent none. */
  requestId: string | null;
};

/** A rejection handler that may narrow its parameter's type, as with any promise. */
type OnError<B> = { as(reason: unknown): B | PromiseLike<B> }["as"];

/**
 * A promise of a call's result. The request is sent at once; the body of its response is read when the promise is
 * awaited. `withResponse()` adds the HTTP response, `asResponse()` resolves to the HTTP response alone.
 */
export class ApiPromise<T> implements PromiseLike<T> {
  private readonly sent: Promise<SentRequest>;
  private readonly read: (sent: SentRequest) => Promise<T>;
  private parsed: Promise<WithResponse<T>> | undefined;

  constructor(send: () => Promise<SentRequest>, read: (sent: SentRequest) => Promise<T>) {
    this.sent = send();
    this.read = read;
  }

  /** Resolves to the result with status, headers and request id. */
  withResponse(): Promise<WithResponse<T>> {
    this.parsed ??= this.sent.then(async (sent) => ({
      data: await this.read(sent),
      response: sent.response,
      requestId: sent.response.headers.get("request-id"),
    }));
    return this.parsed;
  }

  /**
   * Resolves to the HTTP response with its body unread; the call's signal and time limit still apply to the body. Rejects
   * with an `ApiError` for statuses of 400 and above.
   */
  async asResponse(): Promise<Response> {
    return (await this.sent).response;
  }

  /** Returns a promise of the same request with `change` applied to its result. */
  map<U>(change: (value: T) => U | Promise<U>): ApiPromise<U> {
    return new ApiPromise(
      () => this.sent,
      async (sent) => change(await this.read(sent)),
    );
  }

  // biome-ignore lint/suspicious/noThenProperty: the class implements PromiseLike
  then<A = T, B = never>(
    onValue?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: OnError<B> | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onValue, onError);
  }

  catch<B = never>(onError?: OnError<B> | null): Promise<T | B> {
    return this.then(undefined, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnd) as Promise<T>;
  }
}

type Page<T> = { items: T[]; pagination: { current_page: number; total_pages: number } };
type ItemOf<P> = P extends { items: (infer T)[] } ? T : never;

/** Resolves to the first page when awaited; yields every item of every page when iterated. */
export class PagedPromise<P> extends ApiPromise<P> implements AsyncIterable<ItemOf<P>> {
  private readonly pageAt: (page: number) => ApiPromise<P>;

  constructor(
    send: () => Promise<SentRequest>,
    read: (sent: SentRequest) => Promise<P>,
    pageAt: (page: number) => ApiPromise<P>,
  ) {
    super(send, read);
    this.pageAt = pageAt;
  }

  /**
   * Yields the pages in order; each is fetched when it is requested. Throws an `Error` when the server sends another page than
   * the requested one, so that no page is read for ever. A list that has become shorter meanwhile ends.
   */
  async *pages(): AsyncGenerator<P> {
    for (let page = (await this.withResponse()).data; ; ) {
      yield page;
      const { pagination } = page as Partial<Page<unknown>>;
      if (!pagination || !(pagination.current_page < pagination.total_pages)) return;
      const next = pagination.current_page + 1;
      ({ data: page } = await this.pageAt(next).withResponse());
      const received = (page as Partial<Page<unknown>>).pagination;
      if (received?.current_page === next) continue;
      if (received && (received.current_page >= received.total_pages || next > received.total_pages)) return;
      throw new Error(`The server sent page ${received?.current_page} of the list instead of page ${next}.`);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<P>> {
    for await (const page of this.pages()) yield* (page as Page<ItemOf<P>>).items;
  }

  /** Resolves to all items, or to at most `limit` of them, fetching no more pages than needed. */
  async toArray({ limit = Number.POSITIVE_INFINITY }: { limit?: number } = {}): Promise<ItemOf<P>[]> {
    const items: ItemOf<P>[] = [];
    if (limit <= 0) {
      await this.withResponse(); // its request is already sent, and its failure must not go unhandled
      return items;
    }
    for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }
}
