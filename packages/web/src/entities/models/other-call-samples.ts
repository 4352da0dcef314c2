import type { ModelCall } from "./model-call.ts";

type Sample = { name: string; code: string };
type OtherCall = Exclude<ModelCall, "chat">;

/** A call in four languages. `curl` follows the header with the key; TypeScript and Python follow the client. */
type CallTexts = { path: string; curl: string; typescript: string; python: string; cli: string };

const TEXTS: Readonly<Record<OtherCall, (model: string) => CallTexts>> = {
  embedding: (model) => ({
    path: "/embeddings",
    curl: toJsonArguments(`{
    "model": "${model}",
    "input": "Hello"
  }`),
    typescript: `const { data } = await client.embeddings.create({
  model: "${model}",
  input: "Hello",
});
console.log(data[0]?.embedding);`,
    python: `answer = client.embeddings.create(model="${model}", input="Hello")
print(answer.data[0].embedding)`,
    cli: `feather embed -m ${model} "Hello"`,
  }),
  rerank: (model) => ({
    path: "/rerank",
    curl: toJsonArguments(`{
    "model": "${model}",
    "query": "What are feathers made of?",
    "documents": ["Stones are heavy.", "Feathers are keratin."]
  }`),
    typescript: `const answer = await client.post("/rerank", {
  body: {
    model: "${model}",
    query: "What are feathers made of?",
    documents: ["Stones are heavy.", "Feathers are keratin."],
  },
});
console.log(answer);`,
    python: `answer = client.post("/rerank", cast_to=object, body={
    "model": "${model}",
    "query": "What are feathers made of?",
    "documents": ["Stones are heavy.", "Feathers are keratin."],
})
print(answer)`,
    cli: `feather rerank -m ${model} "What are feathers made of?" "Stones are heavy." "Feathers are keratin."`,
  }),
  moderation: (model) => ({
    path: "/moderations",
    curl: toJsonArguments(`{
    "model": "${model}",
    "input": "Hello"
  }`),
    typescript: `const { results } = await client.moderations.create({
  model: "${model}",
  input: "Hello",
});
console.log(results[0]?.flagged);`,
    python: `answer = client.moderations.create(model="${model}", input="Hello")
print(answer.results[0].flagged)`,
    cli: `feather api POST /v1/moderations -f model=${model} -f input=Hello`,
  }),
  image: (model) => ({
    path: "/images/generations",
    curl: toJsonArguments(`{
    "model": "${model}",
    "prompt": "A feather on a stone"
  }`),
    typescript: `const { data } = await client.images.generate({
  model: "${model}",
  prompt: "A feather on a stone",
});
console.log(data?.[0]?.url ?? data?.[0]?.b64_json);`,
    python: `answer = client.images.generate(
    model="${model}", prompt="A feather on a stone"
)
print(answer.data[0].url or answer.data[0].b64_json)`,
    cli: `feather draw -m ${model} -o feather.png "A feather on a stone"`,
  }),
  speech: (model) => ({
    path: "/audio/speech",
    curl: `${toJsonArguments(`{
    "model": "${model}",
    "input": "Hello",
    "voice": "alloy"
  }`)} \\
  --fail --output hello.mp3`,
    typescript: `const sound = await client.audio.speech.create({
  model: "${model}",
  input: "Hello",
  voice: "alloy",
});
await writeFile("hello.mp3", sound.body ?? "");`,
    python: `with client.audio.speech.with_streaming_response.create(
    model="${model}", input="Hello", voice="alloy"
) as answer:
    answer.stream_to_file("hello.mp3")`,
    cli: `feather speak -m ${model} --voice alloy -o hello.mp3 "Hello"`,
  }),
  transcription: (model) => ({
    path: "/audio/transcriptions",
    curl: `-F file=@meeting.mp3 \\
  -F model=${model}`,
    typescript: `const { text } = await client.audio.transcriptions.create({
  model: "${model}",
  file: createReadStream("meeting.mp3"),
});
console.log(text);`,
    python: `with open("meeting.mp3", "rb") as file:
    answer = client.audio.transcriptions.create(
        model="${model}", file=file
    )
print(answer.text)`,
    cli: `feather transcribe -m ${model} meeting.mp3`,
  }),
};

/** What the TypeScript samples import besides the client. */
const IMPORTS: Readonly<Partial<Record<OtherCall, string>>> = {
  speech: `import { writeFile } from "node:fs/promises";\n`,
  transcription: `import { createReadStream } from "node:fs";\n`,
};

/** Returns the call that a model which does not chat is made for in four languages, with the API key where it is given. */
export function createOtherCallSamples(
  call: OtherCall,
  model: string,
  origin: string,
  key: string | null = null,
): Sample[] {
  const { path, curl, typescript, python, cli } = TEXTS[call](model);
  return [
    {
      name: "curl",
      code: `curl ${origin}/v1${path} \\
  -H "authorization: Bearer ${key ?? "$FEATHER_API_KEY"}" \\
  ${curl}`,
    },
    {
      name: "TypeScript",
      code: `${IMPORTS[call] ?? ""}import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${origin}/v1",
  apiKey: ${key ? `"${key}"` : "process.env.FEATHER_API_KEY"},
});
${typescript}`,
    },
    {
      name: "Python",
      code: `import os
from openai import OpenAI

client = OpenAI(
    base_url="${origin}/v1",
    api_key=${key ? `"${key}"` : 'os.environ["FEATHER_API_KEY"]'},
)
${python}`,
    },
    {
      name: "CLI",
      code: `npm install -g ${origin}/cli.tgz
export FEATHER_BASE_URL=${origin}
${key ? `export FEATHER_API_KEY=${key}` : "feather login"}
${cli}`,
    },
  ];
}

function toJsonArguments(body: string): string {
  return `-H "content-type: application/json" \\
  -d '${body}'`;
}
