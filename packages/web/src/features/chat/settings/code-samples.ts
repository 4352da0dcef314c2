import type { ChatCompletionRequest } from "@feather/sdk";

/** Returns the chat's request as code for curl, TypeScript, Python and the CLI. Image data is shortened. */
export function createRequestSamples(body: ChatCompletionRequest, origin: string): { name: string; code: string }[] {
  const shortBody = shortenImages(body);
  return [
    { name: "curl", code: toCurl(shortBody, origin) },
    { name: "TypeScript", code: toTypeScript(shortBody, origin) },
    { name: "Python", code: toPython(shortBody, origin) },
    { name: "CLI", code: toCliCommand(shortBody, origin) },
  ];
}

function shortenImages(body: ChatCompletionRequest): Record<string, unknown> {
  const text = JSON.stringify(body, (_key, value: unknown) =>
    typeof value === "string" && value.startsWith("data:image/") ? `${value.slice(0, value.indexOf(",") + 1)}…` : value,
  );
  const { stream_options: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return rest;
}

/** Quotes a text for a POSIX shell. */
const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

function toCurl(body: object, origin: string): string {
  return `curl ${origin}/v1/chat/completions \\
  -H "authorization: Bearer $FEATHER_API_KEY" \\
  -H "content-type: application/json" \\
  -d ${shellQuote(toJson(body))}`;
}

function toTypeScript(body: object, origin: string): string {
  return `import { createFeather } from "@feather/sdk";

const feather = createFeather({ baseUrl: ${JSON.stringify(origin)}, apiKey: process.env.FEATHER_API_KEY });
const stream = await feather.chat.completions.create(${toJson(body)});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? "");`;
}

const OPENAI_PARAMETERS = new Set([
  "model",
  "messages",
  "temperature",
  "top_p",
  "max_tokens",
  "presence_penalty",
  "frequency_penalty",
  "stop",
  "seed",
  "logit_bias",
  "tools",
  "response_format",
  "reasoning_effort",
  "stream",
]);

function toPython(body: Record<string, unknown>, origin: string): string {
  const standardParameters = Object.entries(body).filter(([name]) => OPENAI_PARAMETERS.has(name));
  const extraParameters = Object.fromEntries(Object.entries(body).filter(([name]) => !OPENAI_PARAMETERS.has(name)));
  const pythonArguments = standardParameters.map(([name, value]) => `    ${name}=${toPythonLiteral(value, "    ")},`);
  if (Object.keys(extraParameters).length > 0)
    pythonArguments.push(`    extra_body=${toPythonLiteral(extraParameters, "    ")},`);
  return `import os
from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(`${origin}/v1`)}, api_key=os.environ["FEATHER_API_KEY"])
stream = client.chat.completions.create(
${pythonArguments.join("\n")}
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="")`;
}

/** Formats a JSON value as a Python literal. */
function toPythonLiteral(value: unknown, indent: string): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const items = Array.isArray(value)
    ? value.map((item) => inner + toPythonLiteral(item, inner))
    : Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${toPythonLiteral(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return items.length === 0 ? open + close : `${open}\n${items.join(",\n")},\n${indent}${close}`;
}

const CLI_FLAGS: Record<string, string> = {
  temperature: "--temperature",
  top_p: "--top-p",
  max_tokens: "--max-tokens",
  seed: "--seed",
};

/** Uses `feather chat` for a single question with known flags, and `feather api` for everything else. */
function toCliCommand(body: Record<string, unknown>, origin: string): string {
  const login = `npm install -g ${origin}/cli.tgz\nfeather login --base-url ${origin}\n`;
  const {
    model,
    messages,
    stream: _,
    ...rest
  } = body as Record<string, unknown> & {
    messages: { role: string; content: unknown }[];
  };
  const [system, conversation] =
    messages[0]?.role === "system" ? [messages[0], messages.slice(1)] : [undefined, messages];
  const [onlyMessage] = conversation;
  const isSingleQuestion =
    conversation.length === 1 &&
    typeof onlyMessage?.content === "string" &&
    Object.keys(rest).every((name) => CLI_FLAGS[name] !== undefined);
  if (!isSingleQuestion)
    return `${login}feather api POST /v1/chat/completions -d ${shellQuote(JSON.stringify({ ...body, stream: false }))}`;
  const flags = Object.entries(rest).map(([name, value]) => `${CLI_FLAGS[name]} ${String(value)}`);
  const instructions = system ? [`-s ${shellQuote(String(system.content))}`] : [];
  return `${login}feather chat ${[`-m ${String(model)}`, ...instructions, ...flags, shellQuote(String(onlyMessage?.content))].join(" ")}`;
}
