import type { TransportResponse } from "./transport.ts";

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
 * A lazy promise of a call's result: the request is sent once, when first awaited. `withResponse()` adds the HTTP response,
 * `asResponse()` resolves to the HTTP response alone.
 */
export class ApiPromise<T> implements PromiseLike<T> {
  private readonly send: () => Promise<TransportResponse>;
  private readonly reading: (sent: TransportResponse) => Promise<T>;
  private sent: Promise<TransportResponse> | undefined;
  private parsed: Promise<WithResponse<T>> | undefined;
  private unreadResponse: Promise<Response> | undefined;

  constructor(send: () => Promise<TransportResponse>, read: (sent: TransportResponse) => Promise<T>) {
    this.send = send;
    this.reading = read;
  }

  private start(): Promise<TransportResponse> {
    this.sent ??= this.send();
    return this.sent;
  }

  /** Resolves to the result with status, headers and request id. */
  withResponse(): Promise<WithResponse<T>> {
    this.parsed ??= this.start().then(async (sent) => ({
      data: await this.reading(sent),
      response: sent.response,
      requestId: sent.response.headers.get("request-id"),
    }));
    return this.parsed;
  }

  /**
   * Resolves to the HTTP response with its body unread; the call's signal and time limit still apply to the body. Rejects
   * with an `ApiError` for statuses of 400 and above.
   */
  asResponse(): Promise<Response> {
    this.unreadResponse ??= this.start().then(async (sent) =>
      (await import("./unread-response.ts")).toUnreadResponse(sent),
    );
    return this.unreadResponse;
  }

  /** Returns a promise of the same request with `change` applied to its result. */
  map<U>(change: (value: T) => U | Promise<U>): ApiPromise<U> {
    return new ApiPromise(
      () => this.start(),
      async (sent) => change(await this.reading(sent)),
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
    send: () => Promise<TransportResponse>,
    read: (sent: TransportResponse) => Promise<P>,
    pageAt: (page: number) => ApiPromise<P>,
  ) {
    super(send, read);
    this.pageAt = pageAt;
  }

  /** Yields the pages in order; each is fetched when it is requested. */
  async *pages(): AsyncGenerator<P> {
    for (let page = (await this.withResponse()).data; ; ) {
      yield page;
      const { pagination } = page as Partial<Page<unknown>>;
      if (!pagination || pagination.current_page >= pagination.total_pages) return;
      ({ data: page } = await this.pageAt(pagination.current_page + 1).withResponse());
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<P>> {
    for await (const page of this.pages()) yield* (page as Page<ItemOf<P>>).items;
  }

  /** Resolves to at most `limit` items, fetching no more pages than needed. */
  async toArray({ limit }: { limit: number }): Promise<ItemOf<P>[]> {
    const items: ItemOf<P>[] = [];
    if (limit <= 0) return items;
    for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }
}
