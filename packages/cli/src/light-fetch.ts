import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";

type Init = RequestInit & { readonly signal: AbortSignal };
type Send = (url: string, init: Init) => Promise<Response>;

/** Redirects are repeated with Node's own `fetch`, which follows them. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Creates a `fetch` on `node:http`, for requests with text bodies: loading Node's own takes longer than everything else
 * that a short command does. Undefined in Bun and Deno, which lack the fast way to load these modules.
 */
export function lightFetch(): Send | undefined {
  // `import` would read all exports of these modules, and some exports load Node's `fetch`.
  const load = process.getBuiltinModule;
  if (process.versions.bun !== undefined || process.versions.deno !== undefined) return undefined;
  return async (url, init) => {
    const answer = await ask(load(url.startsWith("https:") ? "node:https" : "node:http"), url, init);
    if (REDIRECTS.has(answer.statusCode ?? 0)) {
      answer.destroy();
      return globalThis.fetch(url, init);
    }
    const isZipped = answer.headers["content-encoding"] === "gzip";
    return new LightResponse(url, answer, isZipped ? unzipped(load("node:zlib"), answer) : answer);
  };
}

function ask(
  { request }: Pick<typeof import("node:http"), "request">,
  url: string,
  { method = "GET", headers, body, signal }: Init,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const text = typeof body === "string" ? body : undefined;
    const named = {
      ...(headers as Record<string, string>),
      "accept-encoding": "gzip",
      // Node sends the body of a DELETE without its length, which servers cannot parse.
      ...(text !== undefined && { "content-length": String(Buffer.byteLength(text)) }),
    };
    const asked = request(url, { method, headers: named, signal }, resolve);
    asked.once("error", (cause) => reject(new TypeError("fetch failed", { cause })));
    asked.end(text);
  });
}

function unzipped({ createGunzip }: Pick<typeof import("node:zlib"), "createGunzip">, answer: IncomingMessage) {
  const whole = createGunzip();
  answer.once("error", (error) => whole.destroy(error));
  whole.once("close", () => answer.destroy());
  return answer.pipe(whole);
}

/** A `Response` with the common members; the rest is delegated to Node's own class. */
class LightResponse implements Response {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly redirected = false;
  readonly type = "basic";
  private readonly source: Readable;
  private stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;
  private taken = false;

  constructor(url: string, { statusCode = 0, statusMessage = "", headers }: IncomingMessage, source: Readable) {
    this.url = url;
    this.status = statusCode;
    this.statusText = statusMessage;
    this.headers = new LightHeaders(headers);
    this.source = source;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get bodyUsed(): boolean {
    return this.taken;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    this.stream ??= streamOf(this.source);
    return this.stream;
  }

  async text(): Promise<string> {
    if (this.stream !== undefined) return this.whole().text();
    this.taken = true;
    const parts: Buffer[] = [];
    for await (const part of this.source) parts.push(part as Buffer);
    return Buffer.concat(parts).toString("utf8");
  }

  json = async (): Promise<unknown> => JSON.parse(await this.text()) as unknown;
  arrayBuffer = () => this.whole().arrayBuffer();
  blob = () => this.whole().blob();
  bytes = () => this.whole().bytes();
  formData = () => this.whole().formData();
  clone = () => this.whole();

  private whole(): Response {
    this.taken = true;
    const { status, statusText, headers } = this;
    return new Response(this.body, { status, statusText, headers: [...headers] });
  }
}

/** Returns a Node stream as a web stream. Cancelling it ends the request. */
function streamOf(source: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  const parts = source[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = (await parts.next()) as IteratorResult<Buffer>;
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel: () => void source.destroy(),
  });
}

/** A `Headers` on Node's headers, whose names are in lower case. */
class LightHeaders implements Headers {
  private readonly all = new Map<string, string>();
  private readonly cookies: string[] = [];

  constructor(given: IncomingHttpHeaders) {
    for (const [name, value] of Object.entries(given)) {
      if (name === "set-cookie") this.cookies.push(...[value ?? []].flat());
      else if (value !== undefined) this.all.set(name, [value].flat().join(", "));
    }
  }

  get = (name: string): string | null => this.all.get(name.toLowerCase()) ?? null;
  has = (name: string): boolean => this.all.has(name.toLowerCase());
  set = (name: string, value: string): void => void this.all.set(name.toLowerCase(), value);
  append = (name: string, value: string): void => this.set(name, [this.get(name) ?? [], value].flat().join(", "));
  delete = (name: string): void => void this.all.delete(name.toLowerCase());
  getSetCookie = (): string[] => [...this.cookies];
  entries = () => this.all.entries();
  keys = () => this.all.keys();
  values = () => this.all.values();
  [Symbol.iterator] = () => this.all.entries();

  forEach(each: (value: string, name: string, parent: Headers) => void): void {
    for (const [name, value] of this.all) each(value, name, this);
  }
}
