import { t } from "@lingui/core/macro";

/** What the first call says, in the samples and when it is tried on the page. The guide, which every server has, knows it. */
export const FIRST_WORDS = "Hello";

/** The first call in four languages, with the reader's own key where it is known. */
export function firstCallSamples(model: string, origin: string, key: string | null): { name: string; code: string }[] {
  const secret = key ?? "rc_your_key";
  return [
    {
      name: "curl",
      code: `export FEATHER_API_KEY=${secret}

curl ${origin}/v1/chat/completions \\
  -H "authorization: Bearer $FEATHER_API_KEY" \\
  -H "content-type: application/json" \\
  -d '${JSON.stringify({ model, messages: [{ role: "user", content: FIRST_WORDS }] }).replaceAll("'", "'\\''")}'`,
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
  messages: [{ role: "user", content: ${JSON.stringify(FIRST_WORDS)} }],
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
    messages=[{"role": "user", "content": ${JSON.stringify(FIRST_WORDS)}}],
)
print(answer.choices[0].message.content)`,
    },
    {
      name: "CLI",
      code: `export FEATHER_API_KEY=${secret}
export FEATHER_BASE_URL=${origin}

npm install -g ${origin}/cli.tgz
feather chat -m ${model} "${FIRST_WORDS}"`,
    },
  ];
}

/** What a coding assistant asks for; null for a key that is not known here. */
export function assistantSettings(model: string, origin: string, key: string | null): [string, string | null][] {
  return [
    [t`Provider`, t`OpenAI compatible`],
    [t`Base URL`, `${origin}/v1`],
    [t`API key`, key],
    [t`Model`, model],
  ];
}
