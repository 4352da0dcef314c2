import type { Client } from "openapi-fetch";
import { ApiPromise, PagedPromise } from "./api-promise.ts";
import { errorFrom } from "./errors.ts";
import type { Resources } from "./generated/resources.ts";
import type { paths } from "./generated/schema.ts";
import { createLog } from "./log.ts";
import { type FeatherOptions, resolveApiKey, resolveApiUrl } from "./options.ts";
import { toSearchParams, withQuery } from "./query.ts";
import { readBody } from "./read-body.ts";
import { createMethods, type Route } from "./routes.ts";
import type { FormatOf, ParsedAnswer } from "./structured.ts";
import { createTransport, type OutgoingRequest, readText, sleep } from "./transport.ts";
import type { ChatCompletion, ChatCompletionRequest, RequestOptions, Streamed, Whole } from "./types.ts";

/** Helpers of the client on top of the generated methods. */
export interface Helpers {
  chat: {
    completions: {
      /**
       * Creates a chat completion and validates its content against `response_format`: see `zodFormat` of `@feather/sdk/zod`.
       * The data is in `choices[0].message.parsed`. Throws `OutputError` when the content does not match the format.
       */
      parse<T>(
        body: Whole<ChatCompletionRequest> & { response_format: FormatOf<T> },
        options?: RequestOptions,
      ): ApiPromise<ParsedAnswer<T>>;
    };
  };
}

type RawMethod = "GET" | "PUT" | "POST" | "DELETE";

/** The client: a method for every operation, and `GET`, `POST`, `PUT` and `DELETE` for raw paths. */
export type Feather = Resources &
  Helpers &
  Pick<Client<paths>, RawMethod> & {
    /** Options for OpenAI's own client, pointing at this server. */
    readonly openai: { baseURL: string; apiKey: string };
  };

/** Creates a client. It holds no connection and no state, so creating several is cheap. Throws `TypeError` for an API key in a browser. */
export function createFeather(options: FeatherOptions = {}): Feather {
  const apiUrl = resolveApiUrl(options.baseUrl);
  const key = resolveApiKey(options);
  const { fetch, token, credentials, logger, send: customSend } = options;
  const transport = createTransport({
    // Without a custom fetch no `Request` is constructed, which is expensive.
    fetch: fetch
      ? (url, init) => fetch(new Request(url, init), { signal: init.signal })
      : (url, init) => (customSend ?? globalThis.fetch)(url, init),
    timeout: options.timeout ?? 600_000,
    streamIdleTimeout: options.streamIdleTimeout,
    maxRetries: options.maxRetries ?? 2,
    maxRetryAfter: options.maxRetryAfter ?? 60_000,
    log: createLog(logger ?? console, options.logLevel ?? (logger ? "debug" : "off")),
    sleep,
    random: Math.random,
  });

  const headers = mergeHeaders({}, options.headers);
  const getSecret = () => key ?? (typeof token === "function" ? token() : token);

  /** Merges the headers of a request. A plain object, because constructing `Headers` is expensive. */
  function buildHeaders(secret: string | undefined, ...more: RequestOptions["headers"][]): Record<string, string> {
    const all = { ...headers };
    if (secret) all.authorization = `Bearer ${secret}`;
    return more.reduce<Record<string, string>>(mergeHeaders, all);
  }

  function method({ method, path, input }: Route) {
    return (...args: unknown[]): ApiPromise<unknown> => {
      const endpoint = apiUrl + path.replaceAll(/{\w+}/g, () => encodeURIComponent(String(args.shift())));
      const argument = input && args.shift();
      const request = (args.shift() ?? {}) as Partial<Streamed>;
      const send = (more?: object) => async () => {
        const outgoing: OutgoingRequest = {
          url: withQuery(endpoint, { ...(input === "q" && (argument as object)), ...request.query, ...more }),
          method,
          headers: buildHeaders(
            await getSecret(),
            {
              accept: request.stream && "text/event-stream",
              "content-type": CONTENT_TYPES[argument === undefined ? "" : input],
              "idempotency-key":
                method !== "POST" || path.startsWith("/v1/")
                  ? undefined
                  : (request.idempotencyKey ?? crypto.randomUUID()),
            },
            request.headers,
          ),
          ...(credentials && { credentials }),
        };
        if (argument !== undefined && input === "b") outgoing.body = JSON.stringify(argument);
        if (argument !== undefined && input === "f") outgoing.body = toSearchParams(argument).toString();
        const sent = await transport(outgoing, request);
        if (!sent.response.ok) throw errorFrom(sent.response.status, sent.response.headers, await readText(sent));
        return sent;
      };
      const parseResponse = (sent: Parameters<typeof readBody>[0]) => readBody(sent, path);
      if (method !== "GET") return new ApiPromise(send(), parseResponse);
      return new PagedPromise(send(), parseResponse, (page) => new ApiPromise(send({ page }), parseResponse));
    };
  }

  const feather = createMethods(method) as Feather;
  for (const name of ["GET", "PUT", "POST", "DELETE"] as const) {
    // All four have openapi-fetch's types; the library itself is loaded on first use.
    const call = async (path: string, init: RequestOptions = {}) => {
      const { createRaw } = await import("./raw.ts");
      const send = async (outgoing: OutgoingRequest) =>
        transport({ ...outgoing, headers: buildHeaders(await getSecret(), outgoing.headers) }, init);
      return (createRaw(apiUrl, credentials, send)[name] as (path: string, init: object) => unknown)(path, init);
    };
    Object.assign(feather, { [name]: call });
  }
  const { completions } = feather.chat;
  completions.parse = (body, request) =>
    completions
      .create(body, request)
      .map(async (parseResponse: ChatCompletion) =>
        (await import("./structured.ts")).parseAnswer(parseResponse, body.response_format),
      );
  return Object.assign(feather, {
    openai: { baseURL: `${apiUrl}/v1`, apiKey: key ?? (typeof token === "string" ? token : "") },
  });
}

const CONTENT_TYPES: Record<string, string | undefined> = {
  b: "application/json",
  f: "application/x-www-form-urlencoded",
};

/** Adds headers to `all` in place: null removes a header, undefined leaves it unchanged. */
function mergeHeaders(all: Record<string, string>, more: RequestOptions["headers"]): Record<string, string> {
  for (const name in more) {
    const value = more[name];
    if (value === null) delete all[name.toLowerCase()];
    else if (value !== undefined) all[name.toLowerCase()] = value;
  }
  return all;
}
