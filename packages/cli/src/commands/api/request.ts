import { readFile } from "node:fs/promises";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { collect, given, givenOften } from "../../flags.ts";
import { readAll } from "../../input.ts";
import { type Field, objectOf, pairsOf, textField, typedField } from "./fields.ts";
import { readEveryPage } from "./paginate.ts";
import { type Call, headText, isJson, refuseErrors, send, show } from "./send.ts";

/** A request of `feather api`, as the command line describes it. */
export type ApiOptions = {
  readonly method: string;
  readonly path: string;
  /** Values of `-f`, unparsed. */
  readonly texts: readonly string[];
  /** Values of `-F`, unparsed. */
  readonly typed: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body, as JSON text. */
  readonly data?: string;
  /** File with the body; `-` is stdin. */
  readonly input?: string;
  readonly paginate: boolean;
  readonly include: boolean;
};

const FORM = "application/x-www-form-urlencoded";
const EXAMPLE = "feather api GET /auth/me";

/** Sends any request to the API, with the caller's credentials. */
export const api: Command<ApiOptions> = {
  name: "api",
  summary: "Call the API directly",
  about: "Fields are the query of a GET and the body of everything else. Paths are those of the API reference.",
  arguments: [
    { name: "<method>", summary: "GET, POST, PUT, PATCH or DELETE" },
    { name: "<path>", summary: "path of the API, such as /feather/models", values: "paths" },
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
    "feather api GET /feather/models -f search=coder --jq '.items[].id'",
    "feather api POST /api-keys -f name=ci -F 'scopes[]=api.access'",
    "feather api GET /api-keys --paginate",
    "feather api POST /v1/chat/completions --input request.json",
  ],
  options([method = "", path = ""], flags) {
    const upper = method.toUpperCase();
    if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(upper)) throw new UsageError(`${method} is not a method`, EXAMPLE);
    if (/^[a-z]+:|^\/\//i.test(path)) throw new UsageError("give the path without the server", EXAMPLE);
    const paginate = flags.paginate === true;
    if (flags.data !== undefined && flags.inputFile !== undefined)
      throw new UsageError("--data and --input exclude each other");
    if (paginate && upper !== "GET") throw new UsageError("--paginate goes with GET only");
    if (paginate && flags.include === true) throw new UsageError("--paginate and --include exclude each other");
    return {
      method: upper,
      path: path.startsWith("/") ? path : `/${path}`,
      texts: givenOften(flags.rawField),
      typed: givenOften(flags.field),
      headers: givenOften(flags.header).map(headerOf),
      ...bodyFlags(flags.data, flags.inputFile),
      paginate,
      include: flags.include === true,
    };
  },
  async run(context, options) {
    try {
      await request(context, options);
    } catch (error) {
      if (!/^(\/api)?\/admin\//.test(options.path)) throw error;
      throw await (await import("../../sign-in/refusal.ts")).explained(context, error, true);
    }
  },
};

async function request(context: Context, options: ApiOptions): Promise<void> {
  const call = await callOf(context, options);
  if (options.paginate) {
    context.output.printJson(await readEveryPage(call.path, async (path) => answerOf(context, { ...call, path })));
    return;
  }
  const response = await send(context, call);
  if (options.include) context.output.print(headText(response));
  await show(context, await refuseErrors(response));
}

async function answerOf(context: Context, call: Call): Promise<unknown> {
  const response = await refuseErrors(await send(context, call));
  if (!isJson(response.headers.get("content-type") ?? "")) throw new UsageError(`${call.path} has no pages`);
  return response.json();
}

async function callOf(context: Context, options: ApiOptions): Promise<Call> {
  const { method, path, headers, data, input } = options;
  const fields: readonly Field[] = [
    ...options.texts.map(textField),
    ...(await Promise.all(options.typed.map((written) => typedField(written, (file) => textOf(context, file))))),
  ];
  const bare = { method, path, headers, body: undefined, contentType: undefined };
  if (method === "GET" && (input ?? data) !== undefined)
    throw new UsageError("a GET request has no body", "-f name=value for its query");
  if (data !== undefined || input !== undefined) {
    const body = data === undefined ? await bytesOf(context, input ?? "-") : new TextEncoder().encode(data);
    if (!headers.some(([name]) => name.toLowerCase() === "content-type")) requireJson(body);
    return { ...bare, path: withQuery(path, fields), body, contentType: "application/json" };
  }
  if (method === "GET") return { ...bare, path: withQuery(path, fields) };
  if (fields.length === 0) return bare;
  if (await takesForm(method, path))
    return { ...bare, body: String(new URLSearchParams(pairsOf(fields))), contentType: FORM };
  return { ...bare, body: JSON.stringify(objectOf(fields)), contentType: "application/json" };
}

function withQuery(path: string, fields: readonly Field[]): string {
  if (fields.length === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(pairsOf(fields))}`;
}

/** `-d` takes the body itself, or `@file` and `-` as in curl. */
function bodyFlags(data: unknown, input: unknown): Pick<ApiOptions, "data" | "input"> {
  if (data === "-") return { input: "-" };
  if (typeof data === "string" && data.startsWith("@")) return { input: data.slice(1) };
  return { ...given("data", data), ...given("input", input) };
}

/** Returns whether the contract defines a form as this call's body. */
async function takesForm(method: string, path: string): Promise<boolean> {
  const { ROUTES } = await import("@feather/sdk");
  return Object.values(ROUTES).some((route) => {
    const [verb, template = "", kind = ""] = route.split(" ");
    return verb === method && kind.includes("f") && patternOf(template).test(path.replace(/^\/api(?=\/)/, ""));
  });
}

const patternOf = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`);

function headerOf(written: string): readonly [string, string] {
  const [, name, value] = /^([\w-]+):\s*([^\r\n]*)$/.exec(written) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`${written} is not a header`, "-H 'x-queue-timeout: 60'");
  return [name, value];
}

async function bytesOf({ io }: Context, file: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(file === "-" ? Buffer.from(await readAll(io.stdin)) : await readFile(file));
}

const textOf = async (context: Context, file: string): Promise<string> =>
  new TextDecoder().decode(await bytesOf(context, file));

function requireJson(body: Uint8Array): void {
  try {
    JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new UsageError("the body is not valid JSON", "-H 'content-type: …' for another kind of body");
  }
}
