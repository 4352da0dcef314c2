import type { Deployment } from "@feather/sdk";

type SampleTarget = Pick<Deployment, "id" | "model_id" | "visibility"> & { url: string };

/** Returns code that calls a deployment with curl, TypeScript, Python and the CLI. Public deployments need no token. */
export function createDeploymentSamples({
  id,
  url,
  model_id,
  visibility,
}: SampleTarget): { name: string; code: string }[] {
  const isPublic = visibility === "public";
  const model = JSON.stringify(model_id);
  const body = JSON.stringify({ model: model_id, messages: [{ role: "user", content: "Hello" }] });
  return [
    {
      name: "curl",
      code: [
        `curl ${shellQuote(`${url}/chat/completions`)} \\`,
        ...(isPublic ? [] : ['  -H "authorization: Bearer $DEPLOYMENT_TOKEN" \\']),
        '  -H "content-type: application/json" \\',
        `  -d ${shellQuote(body)}`,
      ].join("\n"),
    },
    {
      name: "TypeScript",
      code: `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${JSON.stringify(url)},
  apiKey: ${isPublic ? '"none"' : "process.env.DEPLOYMENT_TOKEN"},
});
const answer = await client.chat.completions.create({
  model: ${model},
  messages: [{ role: "user", content: "Hello" }],
});
console.log(answer.choices[0].message.content);`,
    },
    {
      name: "Python",
      code: `import os
from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(url)},
    api_key=${isPublic ? '"none"' : 'os.environ["DEPLOYMENT_TOKEN"]'},
)
answer = client.chat.completions.create(
    model=${model},
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`,
    },
    {
      name: "CLI",
      code: `feather api POST /deployments/${id}/v1/chat/completions \\\n  -d ${shellQuote(body)}`,
    },
  ];
}

/** Quotes a text for a POSIX shell. */
const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
