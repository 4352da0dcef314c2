/** Calls with OpenRouter's SDK: openrouter.mjs TASK. It checks every answer against its own schemas. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { FEATHER_BASE_URL, FEATHER_API_KEY, FEATHER_MODEL, FEATHER_PACKAGES } = process.env;
const from = createRequire(`${FEATHER_PACKAGES}/package.json`);
const { OpenRouter } = await import(pathToFileURL(from.resolve("@openrouter/sdk")).href);
const client = new OpenRouter({ serverURL: `${FEATHER_BASE_URL}/api/v1`, apiKey: FEATHER_API_KEY });
const [task] = process.argv.slice(2);
const request = { model: FEATHER_MODEL, messages: [{ role: "user", content: "ping" }] };

if (task === "models") {
  const { result } = await client.models.list();
  process.stdout.write(`${result.data.length} models`);
} else if (task === "stream") {
  const stream = await client.chat.send({ chatRequest: { ...request, stream: true } });
  for await (const part of stream) process.stdout.write(part.choices[0]?.delta.content ?? "");
} else {
  const answer = await client.chat.send({ chatRequest: request });
  process.stdout.write(String(answer.choices[0]?.message.content));
}
