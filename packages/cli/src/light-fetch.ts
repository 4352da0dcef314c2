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
export function createLightFetch(): Send | undefined {
  // `import` would read all exports of these modules, and some exports load Node's `fetch`.
  const load = process.getBuiltinModule;
  if (process.versions.bun !== undefined || process.versions.deno !== undefined) return undefined;
  return async (url, init) => {
    const message = await sendRequest(load(url.startsWith("https:") ? "node:https" : "node:http"), url, init);
    if (REDIRECTS.has(message.statusCode ?? 0)) {
      message.destroy();
      return globalThis.fetch(url, init);
    }
    const isGzipped = message.headers["content-encoding"] === "gzip";
    return new LightResponse(url, message, isGzipped ? unzip(load("node:zlib"), message) : message);
  };
}

function sendRequest(
  { request }: Pick<typeof import("node:http"), "request">,
  url: string,
  { method = "GET", headers, body, signal }: Init,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const text = typeof body === "string" ? body : undefined;
    const requestHeaders = {
      ...(headers as Record<string, string>),
      "accept-encoding": "gzip",
      // Node sends the body of a DELETE without its length, which servers cannot parse.
      ...(text !== undefined && { "content-length": String(Buffer.byteLength(text)) }),
    };
    const outgoing = request(url, { method, headers: requestHeaders, signal }, resolve);
    outgoing.once("error", (cause) => reject(new TypeError("fetch failed", { cause })));
    outgoing.end(text);
  });
}

function unzip({ createGunzip }: Pick<typeof import("node:zlib"), "createGunzip">, message: IncomingMessage) {
  const gunzip = createGunzip();
  message.once("error", (error) => gunzip.destroy(error));
  gunzip.once("close", () => message.destroy());
  return message.pipe(gunzip);
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
  private used = false;

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
    return this.used;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    this.stream ??= toWebStream(this.source);
    return this.stream;
  }

  async text(): Promise<string> {
    if (this.stream !== undefined) return this.toNodeResponse().text();
    this.used = true;
    const parts: Buffer[] = [];
    for await (const part of this.source) parts.push(part as Buffer);
    return Buffer.concat(parts).toString("utf8");
  }

  json = async (): Promise<unknown> => JSON.parse(await this.text()) as unknown;
  arrayBuffer = () => this.toNodeResponse().arrayBuffer();
  blob = () => this.toNodeResponse().blob();
  bytes = () => this.toNodeResponse().bytes();
  formData = () => this.toNodeResponse().formData();
  clone = () => this.toNodeResponse();

  private toNodeResponse(): Response {
    this.used = true;
    const { status, statusText, headers } = this;
    return new Response(this.body, { status, statusText, headers: [...headers] });
  }
}

/** Returns a Node stream as a web stream. Cancelling it ends the request. */
function toWebStream(source: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
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
