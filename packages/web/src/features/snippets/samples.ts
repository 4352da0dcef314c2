/** The same call in four languages, ready to be copied. */
export function callSamples(model: string, origin: string): { name: string; code: string }[] {
  return [
    {
      name: "curl",
      code: `curl ${origin}/v1/chat/completions \\
  -H "authorization: Bearer $FEATHER_API_KEY" \\
  -H "content-type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{"role": "user", "content": "Hello"}],
    "stream": true
  }'`,
    },
    {
      name: "TypeScript",
      code: `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${origin}/v1",
  apiKey: process.env.FEATHER_API_KEY,
});
const stream = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "Hello" }],
  stream: true,
});
for await (const chunk of stream)
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");`,
    },
    {
      name: "Python",
      code: `import os
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1",
                api_key=os.environ["FEATHER_API_KEY"])
stream = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
    stream=True,
)
for chunk in stream:
    print(chunk.choices[0].delta.content or "", end="")`,
    },
    { name: "CLI", code: `npx feather login\nnpx feather chat -m ${model} "Hello"` },
  ];
}
