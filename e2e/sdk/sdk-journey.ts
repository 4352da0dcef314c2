import { createFeather } from "@feather/sdk";

/** Results of the SDK journey; `failure` and `stopped` are names of errors, `raw` is an HTTP status. */
export type JourneyResult = { models: number; failure: string; answer: string; stopped: string; raw: number };

/** Uses the SDK as every runtime must be able to: list models, get an error, stream, abort, and send a raw request. */
export async function runJourney(baseUrl: string, token: string): Promise<JourneyResult> {
  const feather = createFeather({ baseUrl, token });
  const request = { model: "feather/demo", messages: [{ role: "user" as const, content: "Hello" }] };
  const models = (await feather.models.list().toArray({ limit: 30 })).length;
  const failure = await feather.models.get("no/such").then(
    () => "none",
    (error: Error) => error.name,
  );
  const stream = await feather.chat.completions.create({ ...request, stream: true });
  const answer = await stream.text();
  const abort = new AbortController();
  const longStream = await feather.chat.completions.create({ ...request, stream: true }, { signal: abort.signal });
  const stopped = await (async () => {
    for await (const _ of longStream) abort.abort();
    return "none";
  })().catch((error: Error) => error.name);
  const raw = (await feather.GET("/feather/stats")).response.status;
  return { models, failure, answer, stopped, raw };
}

/** Creates a client with an API key, which browsers must refuse. */
export const createWithApiKey = (): void => void createFeather({ baseUrl: "/", apiKey: "rc_1" });
