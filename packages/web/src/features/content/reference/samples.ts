import type { CodeSample } from "#/components/ui/code/code-block.tsx";
import { flattenSchema, listParameters } from "./resolve.ts";
import type { Components, OperationWithPath, Parameter, Schema } from "./types.ts";

type Call = {
  id: string;
  method: string;
  /** The path with example values filled in. */
  path: string;
  pathValues: string[];
  query: [string, string][];
  body: unknown;
  /** The form of the body; `file` is a form with a file. */
  form: "json" | "urlencoded" | "file";
  credential: "none" | "bearer" | "session" | "client" | "pod";
};

/** Returns samples of a call with curl, the SDK, Python and the CLI. */
export function createSamples(entry: OperationWithPath, components: Components, origin: string): CodeSample[] {
  const call = toCall(entry, components);
  return [
    { name: "curl", lang: "bash", code: toCurl(call, origin) },
    { name: "TypeScript", lang: "typescript", code: toTypeScript(call, origin) },
    { name: "Python", lang: "python", code: toPython(call, origin) },
    ...(call.form !== "json" || call.credential === "client" || call.credential === "pod"
      ? []
      : [{ name: "CLI", lang: "bash", code: toCliCommand(call) }]),
  ];
}

function getExample(schema: Schema | undefined, components: Components): unknown {
  if (!schema) return undefined;
  const own = flattenSchema(schema, components);
  return own.examples?.[0] ?? own.default ?? own.enum?.[0];
}

function toCall({ method, path, operation }: OperationWithPath, components: Components): Call {
  const parameters = listParameters(operation, components);
  const valueFor = (parameter: Parameter) =>
    String(parameter.example ?? getExample(parameter.schema, components) ?? parameter.name);
  const pathValues: string[] = [];
  const filledPath = path.replace(/{(\w+)}/g, (_, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === "path" && candidate.name === name);
    const value = parameter ? valueFor(parameter) : name;
    pathValues.push(value);
    return value.split("/").map(encodeURIComponent).join("/");
  });
  const content = operation.requestBody?.content ?? {};
  const [type = "", media] =
    Object.entries(content).find(([name]) => name === "application/json") ?? Object.entries(content)[0] ?? [];
  const schemes = (operation.security ?? []).flatMap((way) => Object.keys(way));
  const credential =
    (["bearer", "client", "session", "pod"] as const).find((scheme) => schemes.includes(scheme)) ?? "none";
  return {
    id: operation.operationId,
    method,
    path: filledPath,
    pathValues,
    query: parameters
      .filter((parameter) => parameter.in === "query" && parameter.required)
      .map((parameter) => [parameter.name, valueFor(parameter)]),
    body: Object.values(media?.examples ?? {})[0]?.value,
    form: type.includes("urlencoded") ? "urlencoded" : type.includes("multipart") ? "file" : "json",
    credential,
  };
}

/** The field of a form that is its file; its example is the file's name. */
const FILE_FIELD = "file";

const getUrl = ({ path, query }: Call, origin: string): string =>
  `${origin}${path.startsWith("/v1/") ? "" : "/api"}${path}${query.length > 0 ? `?${new URLSearchParams(query)}` : ""}`;

const toPairs = (body: unknown): [string, string][] =>
  typeof body === "object" && body !== null ? Object.entries(body).map(([name, value]) => [name, String(value)]) : [];

const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function toCurl(call: Call, origin: string): string {
  const { method, body, form, credential } = call;
  const segments = [
    `curl ${method === "GET" || (method === "POST" && body !== undefined) ? "" : `-X ${method} `}${quoteUrlIfNeeded(getUrl(call, origin))}`,
  ];
  if (credential === "bearer") segments.push(`-H "authorization: Bearer $FEATHER_API_KEY"`);
  if (credential === "pod") segments.push(`-H "authorization: Bearer $FEATHER_FILES_TOKEN"`);
  if (credential === "session") segments.push("-b cookies.txt");
  if (credential === "client") segments.push(`-u "$CLIENT_ID:$CLIENT_SECRET"`);
  if (body !== undefined && form === "urlencoded")
    segments.push(...toPairs(body).map(([name, value]) => `--data-urlencode ${quoteForShell(`${name}=${value}`)}`));
  if (body !== undefined && form === "file")
    segments.push(
      ...toPairs(body).map(([name, value]) => `-F ${name}=${name === FILE_FIELD ? "@" : ""}${quoteIfNeeded(value)}`),
    );
  if (body !== undefined && form === "json")
    segments.push(`-H "content-type: application/json"`, `-d ${quoteForShell(JSON.stringify(body, null, 2))}`);
  return segments.join(" \\\n  ");
}

const quoteUrlIfNeeded = (address: string): string => (/[?&]/.test(address) ? `"${address}"` : address);

function toTypeScript({ id, pathValues, query, body, form, credential }: Call, origin: string): string {
  const input = body ?? (query.length > 0 ? Object.fromEntries(query) : undefined);
  const inputs = [
    ...pathValues.map((value) => JSON.stringify(value)),
    ...(input === undefined
      ? []
      : [form === "file" ? withFile(toTypeScriptLiteral(input)) : toTypeScriptLiteral(input)]),
  ];
  const variables: Partial<Record<Call["credential"], string>> = {
    bearer: "FEATHER_API_KEY",
    pod: "FEATHER_FILES_TOKEN",
  };
  const variable = variables[credential];
  const key = variable === undefined ? "" : `,\n  apiKey: process.env.${variable}`;
  const browser = credential === "session" ? `,\n  credentials: "include" // the cookie of a signed-in browser` : "";
  const imports = form === "file" ? `import { openAsBlob } from "node:fs";\n` : "";
  return `${imports}import { createFeather } from "@feather/sdk";

const feather = createFeather({
  baseUrl: "${origin}"${key}${browser},
});
const answer = await feather.${id}(${inputs.join(", ")});`;
}

/** Returns the literal of a form with its file in place of the file's name. */
function withFile(literal: string): string {
  return literal.replace(/^(\s*file): (".*")/m, "$1: new File([await openAsBlob($2)], $2)");
}

/** Returns a value as TypeScript, with property names unquoted where possible. */
function toTypeScriptLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
}

function toPython(call: Call, origin: string): string {
  const { method, body, form, credential } = call;
  const inputs = [`"${getUrl(call, origin)}"`];
  if (credential === "bearer") inputs.push(`headers={"authorization": f"Bearer {os.environ['FEATHER_API_KEY']}"}`);
  if (credential === "pod") inputs.push(`headers={"authorization": f"Bearer {os.environ['FEATHER_FILES_TOKEN']}"}`);
  if (credential === "session") inputs.push("cookies=cookies");
  if (credential === "client") inputs.push(`auth=(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])`);
  if (body !== undefined && form === "file") inputs.push(...toPythonForm(toPairs(body)));
  else if (body !== undefined) inputs.push(`${form === "urlencoded" ? "data" : "json"}=${toPythonLiteral(body)}`);
  return `import os
import requests

answer = requests.${method.toLowerCase()}(
    ${inputs.join(",\n    ")},
)
answer.raise_for_status()`;
}

function toPythonForm(pairs: readonly [string, string][]): string[] {
  const [files, fields] = [true, false].map((isFile) => pairs.filter(([name]) => (name === FILE_FIELD) === isFile));
  return [
    ...(files ?? []).map(([name, value]) => `files={"${name}": open(${JSON.stringify(value)}, "rb")}`),
    `data=${toPythonLiteral(Object.fromEntries(fields ?? []))}`,
  ];
}

function toPythonLiteral(value: unknown, depth = 1): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  const indent = "    ".repeat(depth + 1);
  const close = "    ".repeat(depth);
  if (Array.isArray(value))
    return value.length === 0 ? "[]" : `[${value.map((entry) => toPythonLiteral(entry, depth)).join(", ")}]`;
  if (typeof value === "object") {
    const entries = Object.entries(value);
    if (entries.length === 0) return "{}";
    const lines = entries.map(
      ([name, entry]) => `${indent}${JSON.stringify(name)}: ${toPythonLiteral(entry, depth + 1)},`,
    );
    return `{\n${lines.join("\n")}\n${close}}`;
  }
  return JSON.stringify(value);
}

function toCliCommand({ method, path, query, body }: Call): string {
  const fields = query.map(([name, value]) => ` -f ${name}=${quoteIfNeeded(value)}`).join("");
  const data = body === undefined ? "" : ` \\\n  -d ${quoteForShell(JSON.stringify(body, null, 2))}`;
  return `feather api ${method} ${quoteUrlIfNeeded(path)}${fields}${data}`;
}

const quoteIfNeeded = (text: string): string => (/^[\w./:-]*$/.test(text) ? text : quoteForShell(text));
