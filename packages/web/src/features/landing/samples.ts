import type { CodeSample } from "#/components/ui/code/code-block.tsx";

/** Returns samples that show what changes in a program that calls OpenAI. */
export function createOpenAiSamples(model: string, origin: string): CodeSample[] {
  return [
    {
      name: "TypeScript",
      lang: "typescript",
      code: `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${origin}/v1", // this line is new
  apiKey: process.env.FEATHER_API_KEY,
});
const answer = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "Hello" }],
});`,
    },
    {
      name: "Python",
      lang: "python",
      code: `import os
from openai import OpenAI

client = OpenAI(
    base_url="${origin}/v1",  # this line is new
    api_key=os.environ["FEATHER_API_KEY"],
)
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
)`,
    },
    {
      name: "Environment",
      lang: "bash",
      code: `# programs that read OpenAI's own variables need no change of code
export OPENAI_BASE_URL=${origin}/v1
export OPENAI_API_KEY=$FEATHER_API_KEY`,
    },
    {
      name: "curl",
      lang: "bash",
      code: `curl ${origin}/v1/chat/completions \\
  -H "authorization: Bearer $FEATHER_API_KEY" \\
  -H "content-type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`,
    },
  ];
}

/** Returns samples of a worker pool that keeps a plan's units busy and waits for free ones instead of failing. */
export function createBulkSamples(model: string, origin: string): CodeSample[] {
  return [
    {
      name: "Python",
      lang: "python",
      code: `import asyncio, json, os
from openai import AsyncOpenAI

AT_ONCE = 4  # units of the plan, divided by those of the model
client = AsyncOpenAI(
    base_url="${origin}/v1",
    api_key=os.environ["FEATHER_API_KEY"],
    default_headers={"x-queue-timeout": "60"},  # wait for a turn
)
turns = asyncio.Semaphore(AT_ONCE)

async def answer(line: str) -> None:
    async with turns:
        task = json.loads(line)
        result = await client.chat.completions.create(
            model="${model}",
            messages=[{"role": "user", "content": task["prompt"]}],
        )
        print(json.dumps({"id": task["id"], "answer": result.choices[0].message.content}), flush=True)

async def main() -> None:
    with open("tasks.jsonl") as tasks:
        await asyncio.gather(*(answer(line) for line in tasks))

asyncio.run(main())`,
    },
    {
      name: "TypeScript",
      lang: "typescript",
      code: `import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import OpenAI from "openai";

const AT_ONCE = 4; // units of the plan, divided by those of the model
const client = new OpenAI({
  baseURL: "${origin}/v1",
  apiKey: process.env.FEATHER_API_KEY,
  defaultHeaders: { "x-queue-timeout": "60" }, // wait for a turn
});
const lines = createInterface({ input: createReadStream("tasks.jsonl") })[Symbol.asyncIterator]();

async function worker(): Promise<void> {
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const { id, prompt } = JSON.parse(next.value);
    const { choices } = await client.chat.completions.create({
      model: "${model}",
      messages: [{ role: "user", content: prompt }],
    });
    console.log(JSON.stringify({ id, answer: choices[0]?.message.content }));
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, worker));`,
    },
    {
      name: "Shell",
      lang: "bash",
      code: `# one prompt a line, four side by side
xargs -P 4 -d '\\n' -I{} feather chat -m ${model} --queue 60 {} < prompts.txt > answers.txt`,
    },
  ];
}
