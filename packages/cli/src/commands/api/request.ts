import { readFile } from "node:fs/promises";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { collect, optionalText, repeatedTexts } from "../../flags.ts";
import { readAll } from "../../input.ts";
import { type Field, parseTextField, parseTypedField, toObject, toPairs } from "./fields.ts";
import { readEveryPage } from "./paginate.ts";
import { type ApiCall, formatHead, isJson, printResponse, sendCall } from "./send.ts";

/** A request of `feather api`, as the command line describes it. */
export type ApiOptions = {
  readonly method: string;
  readonly path: string;
  /** Values of `-f`, unparsed. */
  readonly rawFields: readonly string[];
  /** Values of `-F`, unparsed. */
  readonly typedFields: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body, as JSON text. */
  readonly data?: string;
  /** File with the body; `-` is stdin. */
  readonly input?: string;
  readonly paginate: boolean;
  readonly include: boolean;
};

const FORM_CONTENT_TYPE = "application/x-www-form-urlencoded";
const EXAMPLE_COMMAND = "feather api /auth/me";

/** Sends any request to the API, with the caller's credentials. */
export const api: Command<ApiOptions> = {
  name: "api",
  summary: "Call the API directly",
  description: "Fields are the query of a GET and the body of everything else. Paths are those of the API reference.",
  arguments: [
    {
      name: "<method-or-path>",
      summary: "GET, POST, PUT, PATCH or DELETE; a path alone is a GET",
      values: "paths",
    },
    { name: "[path]", summary: "path of the API, such as /feather/models", values: "paths" },
  ],
  prints: "json",
  flags: [
    { name: "-f, --raw-field <name=value>", summary: "a field as text; may be given often", parse: collect },
    {
      name: "-F, --field <name=value>",
      summary: "a field with its type: true, null, 5, @file; may be given often",
      parse: collect,
    },
    { name: "-H, --header <name:value>", summary: "a header; may be given often", parse: collect },
    { name: "-d, --data <json>", summary: "the body, as JSON; @file, or - for stdin" },
    {
      name: "--input <file>",
      summary: "the body, from a file, or - for stdin",
      values: "files",
      property: "inputFile",
    },
    { name: "--paginate", summary: "read all pages of a list, as one" },
    { name: "-i, --include", summary: "print the status and the headers too" },
  ],
  examples: [
    "feather api /feather/models -f search=coder --jq '.items[].id'",
    "feather api POST /api-keys -f name=ci -F 'scopes[]=api.access'",
    "feather api /api-keys --paginate",
    "feather api POST /v1/chat/completions --input request.json",
  ],
  options(args, flags) {
    const { method, path } = parseTarget(args);
    const paginate = flags.paginate === true;
    if (flags.data !== undefined && flags.inputFile !== undefined)
      throw new UsageError("--data and --input exclude each other");
    if (paginate && method !== "GET") throw new UsageError("--paginate goes with GET only");
    if (paginate && flags.include === true) throw new UsageError("--paginate and --include exclude each other");
    return {
      method,
      path,
      rawFields: repeatedTexts(flags.rawField),
      typedFields: repeatedTexts(flags.field),
      headers: repeatedTexts(flags.header).map(parseHeader),
      ...parseBodyFlags(flags.data, flags.inputFile),
      paginate,
      include: flags.include === true,
    };
  },
  async run(context, options) {
    try {
      await request(context, options);
    } catch (error) {
      if (!options.path.startsWith("/admin/")) throw error;
      throw await (await import("../../sign-in/access-errors.ts")).explainAccessError(context, error, true);
    }
  },
};

/** Parses a method and a path, or a path alone, which is a GET. Throws `UsageError`. */
function parseTarget([first = "", second]: readonly string[]): Pick<ApiOptions, "method" | "path"> {
  // A word in capitals is a method, if a mistyped one.
  const isPathAlone = second === undefined && !/^[A-Z]+$/.test(first) && !isMethod(first);
  const [method, path] = isPathAlone ? ["GET", first] : [first.toUpperCase(), second];
  if (!isMethod(method)) throw new UsageError(`${first} is not a method`, EXAMPLE_COMMAND);
  if (path === undefined) throw new UsageError(`${method} needs a path`, `feather api ${method} /auth/me`);
  if (/^[a-z]+:|^\/\//i.test(path)) throw new UsageError("give the path without the server", EXAMPLE_COMMAND);
  return { method, path: `/${path}`.replace(/^\/\/?(api\/)?/, "/") };
}

const isMethod = (text: string): boolean => /^(GET|POST|PUT|PATCH|DELETE)$/i.test(text);

async function request(context: Context, options: ApiOptions): Promise<void> {
  const apiCall = await buildCall(context, options);
  if (options.paginate) {
    context.output.printJson(
      await readEveryPage(apiCall.path, async (path) => requestJson(context, { ...apiCall, path })),
    );
    return;
  }
  const { response, body, error } = await sendCall(context, apiCall);
  if (options.include) context.output.print(formatHead(response));
  if (error !== undefined) throw error;
  await printResponse(context, response, body);
}

async function requestJson(context: Context, apiCall: ApiCall): Promise<unknown> {
  const { response, body, error } = await sendCall(context, apiCall);
  if (error !== undefined) throw error;
  if (!isJson(response.headers.get("content-type") ?? "")) throw new UsageError(`${apiCall.path} has no pages`);
  return new Response(body).json();
}

async function buildCall(context: Context, options: ApiOptions): Promise<ApiCall> {
  const { method, path, headers, data, input } = options;
  const fields: readonly Field[] = [
    ...options.rawFields.map(parseTextField),
    ...(await Promise.all(options.typedFields.map((text) => parseTypedField(text, (file) => readText(context, file))))),
  ];
  const base = { method, path, headers, body: undefined, contentType: undefined };
  if (method === "GET" && (input ?? data) !== undefined)
    throw new UsageError("a GET request has no body", `-f name=value for its query, or feather api POST ${path}`);
  if (data !== undefined || input !== undefined) {
    const body = data === undefined ? await readBytes(context, input ?? "-") : new TextEncoder().encode(data);
    if (!headers.some(([name]) => name.toLowerCase() === "content-type")) requireJson(body);
    return { ...base, path: withQuery(path, fields), body, contentType: "application/json" };
  }
  if (method === "GET") return { ...base, path: withQuery(path, fields) };
  if (fields.length === 0) return base;
  if (await takesForm(method, path))
    return { ...base, body: String(new URLSearchParams(toPairs(fields))), contentType: FORM_CONTENT_TYPE };
  return { ...base, body: JSON.stringify(toObject(fields)), contentType: "application/json" };
}

function withQuery(path: string, fields: readonly Field[]): string {
  if (fields.length === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(toPairs(fields))}`;
}

/** `-d` takes the body itself, or `@file` and `-` as in curl. */
function parseBodyFlags(data: unknown, input: unknown): Pick<ApiOptions, "data" | "input"> {
  if (data === "-") return { input: "-" };
  if (typeof data === "string" && data.startsWith("@")) return { input: data.slice(1) };
  return { ...optionalText("data", data), ...optionalText("input", input) };
}

/** Returns whether the contract defines a form as this call's body. */
async function takesForm(method: string, path: string): Promise<boolean> {
  const { OPERATIONS } = await import("@feather/sdk");
  return Object.values(OPERATIONS).some(
    (operation) => operation.method === method && operation.input === "form" && patternOf(operation.path).test(path),
  );
}

const patternOf = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`);

function parseHeader(text: string): readonly [string, string] {
  const [, name, value] = /^([\w-]+):\s*([^\r\n]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`${text} is not a header`, "-H 'x-queue-timeout: 60'");
  return [name, value];
}

async function readBytes({ io }: Context, file: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(file === "-" ? Buffer.from(await readAll(io.stdin)) : await readFile(file));
}

const readText = async (context: Context, file: string): Promise<string> =>
  new TextDecoder().decode(await readBytes(context, file));

function requireJson(body: Uint8Array): void {
  try {
    JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new UsageError("the body is not valid JSON", "-H 'content-type: …' for another kind of body");
  }
}
