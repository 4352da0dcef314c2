/** What every runtime has to be able to do with the SDK: list, fail, stream, and stop. It says how it went. */
import { createFeather } from "@feather/sdk";

export type Journey = { models: number; failure: string; said: string; stopped: string; raw: number };

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

/** A key, which a page must not hold. */
export const withKey = (): void => void createFeather({ baseUrl: "/", apiKey: "rc_1" });
