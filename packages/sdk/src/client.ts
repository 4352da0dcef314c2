import createClient, { type Client } from "openapi-fetch";
import type { ApiPromise } from "./call/api-promise.ts";
import { type CallContext, createCall, createExchangeFetch, toHeaders } from "./call/call.ts";
import { reviverOf } from "./call/read-body.ts";
import type { FormatOf, ParsedAnswer } from "./call/structured.ts";
import { createLog } from "./fetch/log.ts";
import { type Fetch, type SendOptions, sleep } from "./fetch/send.ts";
import { formatPath, toSearchParams } from "./fetch/url.ts";
import { createUuid } from "./fetch/uuid.ts";
import type { Resources } from "./generated/resources.ts";
import type { paths } from "./generated/schema.ts";
import type { ChatCompletion, ChatCompletionRequest } from "./generated/schemas.ts";
import { createCredentials } from "./middleware/credentials.ts";
import { createIdempotencyKeys } from "./middleware/idempotency-keys.ts";
import { nameUserAgent } from "./middleware/user-agent.ts";
import { type HttpMethod, mapOperations } from "./operations.ts";
import { type FeatherOptions, resolveApiKey, resolveApiUrl } from "./options.ts";
import type { RequestOptions } from "./request-options.ts";
import type { NotStreaming } from "./types.ts";

/** Helpers of the client on top of the generated methods. */
export interface Helpers {
  chat: {
    completions: {
      /**
       * Creates a chat completion and validates its content against `response_format`: see `zodFormat` of `@feather/sdk/zod`.
       * The data is in `choices[0].message.parsed`. Throws `OutputError` when the content does not match the format.
       */
      parse<T>(
        body: NotStreaming<ChatCompletionRequest> & { response_format: FormatOf<T> },
        options?: RequestOptions,
      ): ApiPromise<ParsedAnswer<T>>;
    };
  };
}

type RawCall = HttpMethod | "request";

/** The client: a method for every operation, and openapi-fetch's `GET`, `PUT`, `POST`, `DELETE` and `request` by path. */
export type Feather = Resources &
  Helpers &
  Pick<Client<paths>, RawCall> & {
    /** Options for OpenAI's own client, pointing at this server. */
    readonly openai: { baseURL: string; apiKey: string };
  };

/** Creates a client. It holds no connection and no state, so creating several is cheap. Throws `TypeError` for an API key in a browser. */
export function createFeather(options: FeatherOptions = {}): Feather {
  const apiUrl = resolveApiUrl(options.baseUrl);
  const key = resolveApiKey(options);
  const { token, credentials } = options;
  const client = createClient<paths>({
    baseUrl: apiUrl,
    ...(options.headers && { headers: options.headers }),
    ...(credentials && { credentials }),
    querySerializer: (query) => toSearchParams(query).toString(),
    pathSerializer: formatPath,
  });
  client.use(
    createCredentials(() => key ?? (typeof token === "function" ? token() : token)),
    createIdempotencyKeys(createUuid),
    nameUserAgent,
  );
  const context = { client, send: resolveSendOptions(options), streamIdleTimeout: options.streamIdleTimeout };
  const feather = mapOperations((operation) => createCall(context, operation)) as unknown as Feather;
  feather.chat.completions.parse = (body, request) =>
    feather.chat.completions
      .create(body, request)
      .map(async (completion: ChatCompletion) =>
        (await import("./call/structured.ts")).parseAnswer(completion, body.response_format),
      );
  return Object.assign(feather, createRawCalls(context), {
    openai: { baseURL: `${apiUrl}/v1`, apiKey: key ?? (typeof token === "string" ? token : "") },
  });
}

function resolveSendOptions({ fetch, fetchOptions, logger, logLevel, ...options }: FeatherOptions): SendOptions {
  return {
    fetch: (request, init) => (fetch ?? globalThis.fetch)(request, { ...fetchOptions, ...init }),
    timeout: options.timeout ?? 600_000,
    maxRetries: options.maxRetries ?? 2,
    maxRetryAfter: options.maxRetryAfter ?? 60_000,
    log: createLog(logger ?? console, logLevel ?? (logger ? "debug" : "off")),
    sleep,
    random: Math.random,
  };
}

type RawInit = RequestOptions & { parseAs?: string; fetch?: Fetch };
type AnyRequest = (method: string, path: string, init?: RawInit) => Promise<object>;

/** Creates the calls by path: openapi-fetch's, with the client's retries and limits, and dates revived. */
function createRawCalls({ client, send }: CallContext): Pick<Client<paths>, RawCall> {
  const request: AnyRequest = async (method, path, init = {}) => {
    const { signal: _, timeout: __, maxRetries: ___, ...rest } = init;
    const { fetch } = createExchangeFetch(send, init, path);
    const result = await (client.request as AnyRequest)(method, path, { ...rest, headers: toHeaders(init), fetch });
    const isJson = (init.parseAs ?? "json") === "json";
    return "data" in result && isJson ? { ...result, data: reviverOf(path)(result.data) } : result;
  };
  const createRawCall = (method: HttpMethod) => (path: string, init?: RequestOptions) => request(method, path, init);
  const methods = Object.fromEntries(METHODS.map((method) => [method, createRawCall(method)]));
  return { ...methods, request } as unknown as Pick<Client<paths>, RawCall>;
}

const METHODS: readonly HttpMethod[] = ["GET", "PUT", "POST", "DELETE"];
