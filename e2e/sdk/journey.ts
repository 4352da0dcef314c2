import { createFeather } from "@feather/sdk";

/** Results of the SDK journey; `failure` and `stopped` are names of errors, `raw` is an HTTP status. */
export type Journey = { models: number; failure: string; said: string; stopped: string; raw: number };

/** Uses the SDK as every runtime must be able to: list models, get an error, stream, abort, and send a raw request. */
export async function journey(baseUrl: string, token: string): Promise<Journey> {
  const feather = createFeather({ baseUrl, token });
  const ask = { model: "feather/demo", messages: [{ role: "user" as const, content: "Hello" }] };
  const models = (await feather.models.list().toArray({ limit: 30 })).length;
  const failure = await feather.models.get("no/such").then(
    () => "none",
    (error: Error) => error.name,
  );
  const stream = await feather.chat.completions.create({ ...ask, stream: true });
  const said = await stream.text();
  const abort = new AbortController();
  const long = await feather.chat.completions.create({ ...ask, stream: true }, { signal: abort.signal });
  const stopped = await (async () => {
    for await (const _ of long) abort.abort();
    return "none";
  })().catch((error: Error) => error.name);
  const raw = (await feather.GET("/feather/stats")).response.status;
  return { models, failure, said, stopped, raw };
}

/** Creates a client with an API key, which browsers must refuse. */
export const withKey = (): void => void createFeather({ baseUrl: "/", apiKey: "rc_1" });
