import createClient, { type Client } from "openapi-fetch";
import { ApiPromise, PagedPromise, type WithResponse } from "./api-promise.ts";
import { reviveDates } from "./dates.ts";
import { errorFrom } from "./errors.ts";
import type { Resources } from "./generated/resources.ts";
import { ROUTES } from "./generated/routes.ts";
import type { paths } from "./generated/schema.ts";
import { AnswerStream } from "./stream.ts";
import { createTransport, type Fetch, type Logger, sleep } from "./transport.ts";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionRequest,
  Completion,
  CompletionRequest,
  RequestOptions,
} from "./types.ts";

export type FeatherOptions = {
  /** Address of the platform, such as `https://feather.example`; `/api` is added when it is missing. */
  baseUrl: string;
  /** An API key (`rc_…`). */
  apiKey?: string;
  /** A session or access token, or what gives one that holds: it is asked before each call. */
  token?: string | (() => string | Promise<string>);
  /** Whether a browser sends its cookies: `include` for sites of the same origin. */
  credentials?: RequestCredentials;
  /** The `fetch` to use, for proxies and tests. */
  fetch?: Fetch;
  /** Milliseconds to wait for an answer to begin. 600,000 if left out. */
  timeout?: number;
  /** How often to try again after failures that may pass. 2 if left out. */
  maxRetries?: number;
  /** Is told of every try. Never gets credentials. */
  logger?: Logger;
};

type Streaming<Request> = Request & { stream: true };
type Whole<Request> = Request & { stream?: false | null };

/** Calls that answer at once or as a stream. */
export interface Answers {
  chat: {
    completions: {
      /** Answers a conversation. With `stream: true` the promise gives an `AnswerStream`. `POST /v1/chat/completions` */
      create(
        body: Streaming<ChatCompletionRequest>,
        options?: RequestOptions,
      ): ApiPromise<AnswerStream<ChatCompletionChunk>>;
      create(body: Whole<ChatCompletionRequest>, options?: RequestOptions): ApiPromise<ChatCompletion>;
    };
  };
  completions: {
    /** Continues a text. With `stream: true` the promise gives an `AnswerStream`. `POST /v1/completions` */
    create(body: Streaming<CompletionRequest>, options?: RequestOptions): ApiPromise<AnswerStream<Completion>>;
    create(body: Whole<CompletionRequest>, options?: RequestOptions): ApiPromise<Completion>;
  };
}

/** The platform: a method for every call, and `GET`, `POST` … for raw paths. */
export type Feather = Resources &
  Answers &
  Pick<Client<paths>, "GET" | "PUT" | "POST" | "DELETE"> & { readonly openai: { baseURL: string; apiKey: string } };

/** Makes a client. It keeps no connection and no state, so one for each purpose costs nothing. */
export function createFeather(options: FeatherOptions): Feather {
  const api = apiAddress(options.baseUrl);
  const { apiKey, token } = options;
  const secretNow = async () => apiKey ?? (typeof token === "function" ? await token() : token);
  const transport = createTransport({
    fetch: options.fetch ?? ((request, init) => globalThis.fetch(request, init)),
    timeout: options.timeout ?? 600_000,
    maxRetries: options.maxRetries ?? 2,
    logger: options.logger,
    sleep,
    random: Math.random,
  });
  const raw = createClient<paths>({
    baseUrl: api,
    fetch: async (request) => {
      const secret = await secretNow();
      if (secret !== undefined) request.headers.set("authorization", `Bearer ${secret}`);
      return transport(request, { signal: request.signal });
    },
    ...(options.credentials !== undefined && { credentials: options.credentials }),
  });

  async function send(
    method: string,
    path: string,
    body: unknown,
    form: boolean,
    request: RequestOptions,
  ): Promise<{ response: Response; controller: AbortController }> {
    const controller = new AbortController();
    const { signal } = request;
    if (signal?.aborted) controller.abort(signal.reason);
    else signal?.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
    const headers = new Headers(request.headers);
    const secret = await secretNow();
    if (secret !== undefined) headers.set("authorization", `Bearer ${secret}`);
    if (method === "POST" && !path.startsWith("/v1/"))
      headers.set("idempotency-key", request.idempotencyKey ?? crypto.randomUUID());
    if (body !== undefined)
      headers.set("content-type", form ? "application/x-www-form-urlencoded" : "application/json");
    const init: RequestInit = {
      method,
      headers,
      ...(options.credentials !== undefined && { credentials: options.credentials }),
    };
    if (body !== undefined) init.body = form ? paramsOf(body).toString() : JSON.stringify(body);
    const response = await transport(new Request(api + path, init), { ...request, signal: controller.signal });
    if (!response.ok) throw errorFrom(response.status, response.headers, await response.text());
    return { response, controller };
  }

  function call(id: string, args: unknown[]): ApiPromise<unknown> {
    const { method, template, input } = routeOf(id);
    const rest = [...args];
    const path = template.replace(/{\w+}/g, () => encodeURIComponent(String(rest.shift())));
    const argument = input === "" ? undefined : rest.shift();
    const request = (rest.shift() ?? {}) as RequestOptions;
    const start = (address: string) => async (): Promise<WithResponse<unknown>> => {
      const { response, controller } = await send(
        method,
        address,
        input === "q" ? undefined : argument,
        input === "f",
        request,
      );
      const requestId = response.headers.get("request-id");
      if (response.headers.get("content-type")?.startsWith("text/event-stream"))
        return { data: new AnswerStream(response, controller), response, requestId };
      const text = await response.text();
      if (text === "") return { data: undefined, response, requestId };
      const data = parseAnswer(text, response);
      // Answers of models are theirs to shape: only our own fields follow the rule of dates.
      return { data: template.startsWith("/v1/") ? data : reviveDates(data), response, requestId };
    };
    if (method !== "GET") return new ApiPromise(start(path));
    const address = (query: unknown) => path + queryText(query);
    const pageAt = (page: number) => new ApiPromise(start(address({ ...(argument as object | undefined), page })));
    return new PagedPromise(start(address(argument)), pageAt);
  }

  const { GET, PUT, POST, DELETE } = raw;
  return Object.assign(resources(call), {
    GET,
    PUT,
    POST,
    DELETE,
    openai: { baseURL: `${api}/v1`, apiKey: apiKey ?? (typeof token === "string" ? token : "") },
  });
}

function apiAddress(baseUrl: string): string {
  const trimmed = baseUrl.replace(/\/+$/, "");
  const absolute = trimmed.startsWith("/") && "location" in globalThis ? globalThis.location.origin + trimmed : trimmed;
  return absolute.endsWith("/api") ? absolute : `${absolute}/api`;
}

function routeOf(id: string): { method: string; template: string; input: string } {
  const [method = "", template = "", input = ""] = (ROUTES[id] ?? "").split(" ");
  return { method, template, input };
}

function queryText(query: unknown): string {
  const text = paramsOf(query).toString();
  return text === "" ? "" : `?${text}`;
}

/** Fields without a value are left out. */
function paramsOf(fields: unknown): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries((fields as object | undefined) ?? {}))
    if (value !== undefined && value !== null)
      params.set(name, value instanceof Date ? value.toISOString() : String(value));
  return params;
}

function parseAnswer(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw errorFrom(response.status, response.headers, text.startsWith("<") ? text : "");
  }
}

/** `a.b.c` of the table becomes `feather.a.b.c(...)`. */
function resources(call: (id: string, args: unknown[]) => ApiPromise<unknown>): Resources & Answers {
  const root: Partial<Resources & Answers> & Record<string, unknown> = {};
  for (const id of Object.keys(ROUTES)) {
    const names = id.split(".");
    const last = names.pop() ?? "";
    let node: Record<string, unknown> = root;
    for (const name of names) {
      node[name] ??= {};
      node = node[name] as Record<string, unknown>;
    }
    node[last] = (...args: unknown[]) => call(id, args);
  }
  return root as Resources & Answers;
}
