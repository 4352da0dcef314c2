import { t } from "@lingui/core/macro";

/** The prompt of the first call. The built-in guide model, which every server has, can answer it. */
export const FIRST_PROMPT = "Hello";

/** Returns samples of the first call, with the API key where it is known. */
export function createFirstCallSamples(
  model: string,
  origin: string,
  key: string | null,
): { name: string; code: string }[] {
  const secret = key ?? "rc_your_key";
  return [
    {
      name: "curl",
      code: `export FEATHER_API_KEY=${secret}

curl ${origin}/v1/chat/completions \\
  -H "authorization: Bearer $FEATHER_API_KEY" \\
  -H "content-type: application/json" \\
  -d '${JSON.stringify({ model, messages: [{ role: "user", content: FIRST_PROMPT }] }).replaceAll("'", "'\\''")}'`,
    },
    {
      name: "TypeScript",
      code: `// FEATHER_API_KEY=${secret} node first-call.ts
import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${origin}/v1",
  apiKey: process.env.FEATHER_API_KEY,
});
const answer = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: "user", content: ${JSON.stringify(FIRST_PROMPT)} }],
});
console.log(answer.choices[0].message.content);`,
    },
    {
      name: "Python",
      code: `# FEATHER_API_KEY=${secret} python first_call.py
import os
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["FEATHER_API_KEY"])
answer = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": ${JSON.stringify(FIRST_PROMPT)}}],
)
print(answer.choices[0].message.content)`,
    },
    {
      name: "CLI",
      code: `export FEATHER_API_KEY=${secret}
export FEATHER_BASE_URL=${origin}

npm install -g ${origin}/cli.tgz
feather chat -m ${model} "${FIRST_PROMPT}"`,
    },
  ];
}

/** Returns the settings of a coding assistant as pairs of label and value; null for an unknown key. */
export function listAssistantSettings(model: string, origin: string, key: string | null): [string, string | null][] {
  return [
    [t`Provider`, t`OpenAI compatible`],
    [t`Base URL`, `${origin}/v1`],
    [t`API key`, key],
    [t`Model`, model],
  ];
}
