import { readFile } from "node:fs/promises";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { given } from "../../flags.ts";
import { readAll } from "../../input.ts";
import { sanitize } from "../../output/sanitize.ts";

export type ApiOptions = {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
  readonly data?: string;
};

/** Any call of the API, with the caller's credentials. */
export const api: Command<ApiOptions> = {
  name: "api",
  summary: "Call the API directly",
  arguments: [
    { name: "<method>", summary: "GET, POST, PUT, PATCH or DELETE" },
    { name: "<path>", summary: "path of the API, such as /feather/models" },
  ],
  prints: "json",
  flags: [
    {
      name: "-f, --field <name=value>",
      summary: "a field of the query (GET) or body; may be given often",
      parse: (text, earlier) => [...(Array.isArray(earlier) ? earlier : []), text],
    },
    { name: "-d, --data <json>", summary: "the body: JSON, @file, or - for stdin" },
  ],
  examples: ["feather api GET /feather/models -f search=coder", 'feather api POST /api-keys -d \'{"name":"ci"}\''],
  options([method = "", path = ""], flags) {
    const upper = method.toUpperCase();
    if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(upper))
      throw new UsageError(`${method} is not a method`, "feather api GET /auth/me");
    if (/^[a-z]+:/i.test(path)) throw new UsageError("give the path without the server", "feather api GET /auth/me");
    const fields = Array.isArray(flags.field) ? flags.field.map(String) : [];
    return { method: upper, path: path.startsWith("/") ? path : `/${path}`, fields, ...given("data", flags.data) };
  },
  async run(context, options) {
    const { settings, signal } = context;
    const body = await bodyOf(context, options, options.fields.map(fieldOf));
    const { baseUrl } = settings();
    const secret = await context.secret();
    const request = new Request(addressOf(baseUrl, options), {
      method: options.method,
      headers: {
        ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body }),
      signal,
    });
    const send = context.io.env.proxied
      ? await (await import("../../proxy.ts")).proxiedFetch()
      : (request: Request) => fetch(request);
    const { ConnectionError, AbortedError, isApiError } = await import("@feather/sdk");
    try {
      await show(context, await send(request));
    } catch (cause) {
      if (signal.aborted) throw new AbortedError("The request was ended by its signal.", { cause });
      if (isApiError(cause) || !(cause instanceof TypeError)) throw cause;
      throw new ConnectionError(`The server at ${new URL(baseUrl).origin} cannot be reached.`, { cause });
    }
  },
};

function addressOf(baseUrl: string, { method, path, fields }: ApiOptions): string {
  const root = baseUrl.endsWith("/api") ? baseUrl : `${baseUrl}/api`;
  const address = root + path.replace(/^\/api(?=\/)/, "");
  if (method !== "GET" || fields.length === 0) return address;
  return `${address}${path.includes("?") ? "&" : "?"}${new URLSearchParams(fields.map(fieldOf))}`;
}

/** Prints an answer: JSON as JSON, events as they come, everything else as text. */
async function show({ io, output }: Context, response: Response): Promise<void> {
  const type = response.headers.get("content-type") ?? "";
  if (response.ok && response.body !== null && type.startsWith("text/event-stream")) {
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    for (let part = await reader.read(); !part.done; part = await reader.read())
      io.stdout.write(sanitize(decoder.decode(part.value, { stream: true })));
    return;
  }
  const text = await response.text();
  if (!response.ok) throw (await import("@feather/sdk")).errorFrom(response.status, response.headers, text);
  if (text === "") return;
  if (type.includes("application/json")) output.printJson(JSON.parse(text));
  else output.print(text);
}

function fieldOf(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`${text} is not a field`, "-f name=value");
  return [text.slice(0, at), text.slice(at + 1)];
}

async function bodyOf(
  { io }: Context,
  { data, method }: ApiOptions,
  fields: [string, string][],
): Promise<string | undefined> {
  if (data === undefined) {
    const wanted = method !== "GET" && fields.length > 0;
    return wanted ? JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, typed(value)]))) : undefined;
  }
  if (method === "GET") throw new UsageError("a GET request has no body", "-f name=value for its query");
  if (fields.length > 0) throw new UsageError("--data and --field exclude each other");
  const text =
    data === "-" ? await readAll(io.stdin) : data.startsWith("@") ? await readFile(data.slice(1), "utf8") : data;
  try {
    JSON.parse(text);
  } catch {
    throw new UsageError("the body is not valid JSON", `-d '{"name":"value"}'`);
  }
  return text;
}

/** `true`, `false`, `null` and numbers are what they look like; everything else is text. */
function typed(value: string): unknown {
  if (/^(true|false|null|-?\d{1,15}(\.\d+)?)$/.test(value)) return JSON.parse(value);
  return value;
}
