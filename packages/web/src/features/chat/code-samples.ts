import type { ChatCompletionRequest } from "@feather/sdk";

type Body = ChatCompletionRequest;

/** Returns the chat's request as code for curl, TypeScript, Python and the CLI. Image data is shortened. */
export function requestSamples(body: Body, origin: string): { name: string; code: string }[] {
  const shown = shortened(body);
  return [
    { name: "curl", code: curl(shown, origin) },
    { name: "TypeScript", code: typescript(shown, origin) },
    { name: "Python", code: python(shown, origin) },
    { name: "CLI", code: cli(shown, origin) },
  ];
}

function shortened(body: Body): Record<string, unknown> {
  const text = JSON.stringify(body, (_key, value: unknown) =>
    typeof value === "string" && value.startsWith("data:image/") ? `${value.slice(0, value.indexOf(",") + 1)}…` : value,
  );
  const { stream_options: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return rest;
}

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const json = (value: unknown): string => JSON.stringify(value, null, 2);

function curl(body: object, origin: string): string {
  return `curl ${origin}/v1/chat/completions \\
  -H "authorization: Bearer $FEATHER_API_KEY" \\
  -H "content-type: application/json" \\
  -d ${quoted(json(body))}`;
}

function typescript(body: object, origin: string): string {
  return `import { createFeather } from "@feather/sdk";

const feather = createFeather({ baseUrl: ${JSON.stringify(origin)}, apiKey: process.env.FEATHER_API_KEY });
const stream = await feather.chat.completions.create(${json(body)});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? "");`;
}

const OPENAI = new Set([
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

function python(body: Record<string, unknown>, origin: string): string {
  const known = Object.entries(body).filter(([name]) => OPENAI.has(name));
  const extra = Object.fromEntries(Object.entries(body).filter(([name]) => !OPENAI.has(name)));
  const named = known.map(([name, value]) => `    ${name}=${literal(value, "    ")},`);
  if (Object.keys(extra).length > 0) named.push(`    extra_body=${literal(extra, "    ")},`);
  return `import os
from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(`${origin}/v1`)}, api_key=os.environ["FEATHER_API_KEY"])
stream = client.chat.completions.create(
${named.join("\n")}
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="")`;
}

/** Formats a JSON value as a Python literal. */
function literal(value: unknown, indent: string): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const parts = Array.isArray(value)
    ? value.map((item) => inner + literal(item, inner))
    : Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${literal(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return parts.length === 0 ? open + close : `${open}\n${parts.join(",\n")},\n${indent}${close}`;
}

const FLAGS: Record<string, string> = {
  temperature: "--temperature",
  top_p: "--top-p",
  max_tokens: "--max-tokens",
  seed: "--seed",
};

/** Uses `feather chat` for a single question with known flags, and `feather api` for everything else. */
function cli(body: Record<string, unknown>, origin: string): string {
  const login = `npm install -g ${origin}/cli.tgz\nfeather login --base-url ${origin}\n`;
  const {
    model,
    messages,
    stream: _,
    ...rest
  } = body as Record<string, unknown> & {
    messages: { role: string; content: unknown }[];
  };
  const [system, asked] = messages[0]?.role === "system" ? [messages[0], messages.slice(1)] : [undefined, messages];
  const [only] = asked;
  const simple =
    asked.length === 1 &&
    typeof only?.content === "string" &&
    Object.keys(rest).every((name) => FLAGS[name] !== undefined);
  if (!simple)
    return `${login}feather api POST /v1/chat/completions -d ${quoted(JSON.stringify({ ...body, stream: false }))}`;
  const flags = Object.entries(rest).map(([name, value]) => `${FLAGS[name]} ${String(value)}`);
  const instructions = system ? [`-s ${quoted(String(system.content))}`] : [];
  return `${login}feather chat ${[`-m ${String(model)}`, ...instructions, ...flags, quoted(String(only?.content))].join(" ")}`;
}
