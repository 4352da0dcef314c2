import type { Sent } from "./transport.ts";

/** An answer together with the HTTP response it came in. */
export type WithResponse<T> = {
  data: T;
  /** Status and headers. Its body has been read, or belongs to the stream. */
  response: Response;
  /** Id of the request, to find it in logs and receipts. */
  requestId: string | null;
};

/** May name the kind of error that it expects, as with any promise. */
type OnError<B> = { as(reason: unknown): B | PromiseLike<B> }["as"];

/** A promise of an answer. `withResponse()` gives the HTTP response too, `asResponse()` that alone. The request is sent once, when first awaited. */
export class ApiPromise<T> implements PromiseLike<T> {
  private readonly send: () => Promise<Sent>;
  private readonly read: (sent: Sent) => Promise<T>;
  private sent: Promise<Sent> | undefined;
  private parsed: Promise<WithResponse<T>> | undefined;
  private unread: Promise<Response> | undefined;

  constructor(send: () => Promise<Sent>, read: (sent: Sent) => Promise<T>) {
    this.send = send;
    this.read = read;
  }

  private started(): Promise<Sent> {
    this.sent ??= this.send();
    return this.sent;
  }

  /** The answer with status, headers and request id. */
  withResponse(): Promise<WithResponse<T>> {
    this.parsed ??= this.started().then(async (sent) => ({
      data: await this.read(sent),
      response: sent.response,
      requestId: sent.response.headers.get("request-id"),
    }));
    return this.parsed;
  }

  /**
   * The HTTP response with its body unread, which the signal and the time limit of the call still end. Statuses of 400
   * and above throw here too.
   */
  asResponse(): Promise<Response> {
    this.unread ??= this.started().then(async (sent) => (await import("./body.ts")).unreadResponse(sent));
    return this.unread;
  }

  /** The same request with its answer made into something else. */
  map<U>(change: (value: T) => U | Promise<U>): ApiPromise<U> {
    return new ApiPromise(
      () => this.started(),
      async (sent) => change(await this.read(sent)),
    );
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
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

/** The first page when awaited; every item of every page when iterated. */
export class PagedPromise<P> extends ApiPromise<P> implements AsyncIterable<ItemOf<P>> {
  private readonly pageAt: (page: number) => ApiPromise<P>;

  constructor(send: () => Promise<Sent>, read: (sent: Sent) => Promise<P>, pageAt: (page: number) => ApiPromise<P>) {
    super(send, read);
    this.pageAt = pageAt;
  }

  /** One page after another, fetched as they are asked for. */
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

  /** Items in an array, at most `limit` of them. */
  async toArray({ limit }: { limit: number }): Promise<ItemOf<P>[]> {
    const items: ItemOf<P>[] = [];
    if (limit <= 0) return items;
    for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }
}
