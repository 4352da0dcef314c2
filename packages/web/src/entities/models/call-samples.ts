type Sample = { name: string; code: string };

/** Returns the same call in four languages, with the API key where it is given. */
export function createCallSamples(model: string, origin: string, key: string | null = null): Sample[] {
  return [
    {
      name: "curl",
      code: `curl ${origin}/v1/chat/completions \\
  -H "authorization: Bearer ${key ?? "$FEATHER_API_KEY"}" \\
  -H "content-type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{"role": "user",
                  "content": "Hello"}],
    "stream": true
  }'`,
    },
    {
      name: "TypeScript",
      code: `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${origin}/v1",
  apiKey: ${key ? `"${key}"` : "process.env.FEATHER_API_KEY"},
});
const stream = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "Hello" }],
  stream: true,
});
for await (const { choices } of stream)
  process.stdout.write(choices[0]?.delta.content ?? "");`,
    },
    {
      name: "Python",
      code: `import os
from openai import OpenAI

client = OpenAI(
    base_url="${origin}/v1",
    api_key=${key ? `"${key}"` : 'os.environ["FEATHER_API_KEY"]'},
)
stream = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
    stream=True,
)
for chunk in stream:
    print(chunk.choices[0].delta.content or "", end="")`,
    },
    {
      name: "CLI",
      code: `npm install -g ${origin}/cli.tgz
export FEATHER_BASE_URL=${origin}
${key ? `export FEATHER_API_KEY=${key}` : "feather login"}
feather chat -m ${model} "Hello"`,
    },
  ];
}
