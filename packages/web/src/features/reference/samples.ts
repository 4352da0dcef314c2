import type { Sample } from "#/features/content/code-block.tsx";
import { flat, parametersOf } from "./resolve.ts";
import type { Components, Parameter, PlacedOperation, Schema } from "./types.ts";

type Call = {
  id: string;
  method: string;
  /** The path with example values filled in. */
  path: string;
  pathValues: string[];
  query: [string, string][];
  body: unknown;
  form: boolean;
  credential: "none" | "bearer" | "session" | "client";
};

/** Returns samples of a call with curl, the SDK, Python and the CLI. */
export function samplesOf(placed: PlacedOperation, components: Components, origin: string): Sample[] {
  const call = callOf(placed, components);
  return [
    { name: "curl", lang: "bash", code: curl(call, origin) },
    { name: "TypeScript", lang: "typescript", code: typescript(call, origin) },
    { name: "Python", lang: "python", code: python(call, origin) },
    ...(call.form || call.credential === "client" ? [] : [{ name: "CLI", lang: "bash", code: cli(call) }]),
  ];
}

function exampleOf(schema: Schema | undefined, components: Components): unknown {
  if (!schema) return undefined;
  const own = flat(schema, components);
  return own.examples?.[0] ?? own.default ?? own.enum?.[0];
}

function callOf({ method, path, operation }: PlacedOperation, components: Components): Call {
  const parameters = parametersOf(operation, components);
  const valueFor = (parameter: Parameter) =>
    String(parameter.example ?? exampleOf(parameter.schema, components) ?? parameter.name);
  const pathValues: string[] = [];
  const filled = path.replace(/{(\w+)}/g, (_, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === "path" && candidate.name === name);
    const value = parameter ? valueFor(parameter) : name;
    pathValues.push(value);
    return value.split("/").map(encodeURIComponent).join("/");
  });
  const content = operation.requestBody?.content ?? {};
  const [type = "", media] =
    Object.entries(content).find(([name]) => name === "application/json") ?? Object.entries(content)[0] ?? [];
  const schemes = (operation.security ?? []).flatMap((way) => Object.keys(way));
  const credential = (["bearer", "client", "session"] as const).find((scheme) => schemes.includes(scheme)) ?? "none";
  return {
    id: operation.operationId,
    method,
    path: filled,
    pathValues,
    query: parameters
      .filter((parameter) => parameter.in === "query" && parameter.required)
      .map((parameter) => [parameter.name, valueFor(parameter)]),
    body: Object.values(media?.examples ?? {})[0]?.value,
    form: type.includes("urlencoded"),
    credential,
  };
}

const addressOf = ({ path, query }: Call, origin: string): string =>
  `${origin}${path.startsWith("/v1/") ? "" : "/api"}${path}${query.length > 0 ? `?${new URLSearchParams(query)}` : ""}`;

const pairs = (body: unknown): [string, string][] =>
  typeof body === "object" && body !== null ? Object.entries(body).map(([name, value]) => [name, String(value)]) : [];

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function curl(call: Call, origin: string): string {
  const { method, body, form, credential } = call;
  const parts = [
    `curl ${method === "GET" || (method === "POST" && body !== undefined) ? "" : `-X ${method} `}${shellSafe(addressOf(call, origin))}`,
  ];
  if (credential === "bearer") parts.push(`-H "authorization: Bearer $FEATHER_API_KEY"`);
  if (credential === "session") parts.push("-b cookies.txt");
  if (credential === "client") parts.push(`-u "$CLIENT_ID:$CLIENT_SECRET"`);
  if (body !== undefined && form)
    parts.push(...pairs(body).map(([name, value]) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`));
  if (body !== undefined && !form)
    parts.push(`-H "content-type: application/json"`, `-d ${shellQuoted(JSON.stringify(body, null, 2))}`);
  return parts.join(" \\\n  ");
}

const shellSafe = (address: string): string => (/[?&]/.test(address) ? `"${address}"` : address);

function typescript({ id, pathValues, query, body, credential }: Call, origin: string): string {
  const input = body ?? (query.length > 0 ? Object.fromEntries(query) : undefined);
  const inputs = [
    ...pathValues.map((value) => JSON.stringify(value)),
    ...(input === undefined ? [] : [literal(input)]),
  ];
  const key = credential === "bearer" ? `,\n  apiKey: process.env.FEATHER_API_KEY` : "";
  const browser = credential === "session" ? `,\n  credentials: "include" // the cookie of a signed-in browser` : "";
  return `import { createFeather } from "@feather/sdk";

const feather = createFeather({
  baseUrl: "${origin}"${key}${browser},
});
const answer = await feather.${id}(${inputs.join(", ")});`;
}

/** Returns a value as TypeScript, with property names unquoted where possible. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
}

function python(call: Call, origin: string): string {
  const { method, body, form, credential } = call;
  const inputs = [`"${addressOf(call, origin)}"`];
  if (credential === "bearer") inputs.push(`headers={"authorization": f"Bearer {os.environ['FEATHER_API_KEY']}"}`);
  if (credential === "session") inputs.push("cookies=cookies");
  if (credential === "client") inputs.push(`auth=(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])`);
  if (body !== undefined) inputs.push(`${form ? "data" : "json"}=${pythonLiteral(body)}`);
  return `import os
import requests

answer = requests.${method.toLowerCase()}(
    ${inputs.join(",\n    ")},
)
answer.raise_for_status()`;
}

function pythonLiteral(value: unknown, depth = 1): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  const indent = "    ".repeat(depth + 1);
  const close = "    ".repeat(depth);
  if (Array.isArray(value))
    return value.length === 0 ? "[]" : `[${value.map((entry) => pythonLiteral(entry, depth)).join(", ")}]`;
  if (typeof value === "object") {
    const entries = Object.entries(value);
    if (entries.length === 0) return "{}";
    const lines = entries.map(
      ([name, entry]) => `${indent}${JSON.stringify(name)}: ${pythonLiteral(entry, depth + 1)},`,
    );
    return `{\n${lines.join("\n")}\n${close}}`;
  }
  return JSON.stringify(value);
}

function cli({ method, path, query, body }: Call): string {
  const fields = query.map(([name, value]) => ` -f ${name}=${shellWord(value)}`).join("");
  const data = body === undefined ? "" : ` \\\n  -d ${shellQuoted(JSON.stringify(body, null, 2))}`;
  return `feather api ${method} ${shellSafe(path)}${fields}${data}`;
}

const shellWord = (text: string): string => (/^[\w./:-]*$/.test(text) ? text : shellQuoted(text));
