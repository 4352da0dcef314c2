import OpenAI, { APIUserAbortError, AuthenticationError, BadRequestError, NotFoundError } from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { platformUrl } from "../support/platform-url.ts";

const MODEL = "feather/demo";
const messages = [{ role: "user" as const, content: "Hello" }];

describe("the official openai package, through the gateway to the real engine", () => {
  const baseURL = `${platformUrl()}/v1`;
  let client: OpenAI;
  let account: Awaited<ReturnType<typeof createAccount>>;

  beforeAll(async () => {
    account = await createAccount(platformUrl());
    const { secret } = await account.feather.apiKeys.create({ name: "openai" });
    client = new OpenAI({ baseURL, apiKey: secret, maxRetries: 0 });
  });

  test("lists and retrieves models", async () => {
    const ids = (await client.models.list()).data.map((model) => model.id);
    expect(ids).toContain(MODEL);
    expect(ids.length).toBeGreaterThan(390);
    expect((await client.models.retrieve("QWEN/qwen3-32b")).id).toBe("Qwen/Qwen3-32B");
  });

  test("gets a buffered answer", async () => {
    const answer = await client.chat.completions.create({ model: MODEL, messages, temperature: 0 });
    expect(answer.choices[0]?.message.content).toMatch(/demonstration model/);
    expect(answer.choices[0]?.finish_reason).toBe("stop");
    expect(answer.usage?.total_tokens).toBeGreaterThan(10);
  });

  test("streams the same text, and usage on request", async () => {
    const whole = await client.chat.completions.create({ model: MODEL, messages, temperature: 0 });
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    let tokens = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      tokens = chunk.usage?.completion_tokens ?? tokens;
    }
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(tokens).toBe(whole.usage?.completion_tokens);
  });

  test("gets no usage event without requesting it", async () => {
    const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true });
    for await (const chunk of stream) expect(chunk.choices).toHaveLength(1);
  });

  test("maps errors to its classes", async () => {
    await expect(client.chat.completions.create({ model: "feather/dmo", messages })).rejects.toThrow(NotFoundError);
    await expect(client.chat.completions.create({ model: MODEL, messages: [] })).rejects.toThrow(BadRequestError);
    const stranger = new OpenAI({ baseURL, apiKey: "rc_wrong", maxRetries: 0 });
    await expect(stranger.chat.completions.create({ model: MODEL, messages })).rejects.toThrow(AuthenticationError);
  });

  test("releases the units at once on abort", async () => {
    const abort = new AbortController();
    const stream = await client.chat.completions.create(
      { model: MODEL, messages, stream: true, max_tokens: 2000 },
      { signal: abort.signal },
    );
    const reading = (async () => {
      for await (const _ of stream) abort.abort();
    })();
    await reading.catch((error: unknown) => expect(error).toBeInstanceOf(APIUserAbortError));
    await expect.poll(async () => (await account.feather.concurrency.get()).used_cost).toBe(0);
  });

  test("gets text completions", async () => {
    const answer = await client.completions.create({ model: MODEL, prompt: "Hello", max_tokens: 4 });
    expect(answer.choices[0]?.finish_reason).toBe("length");
  });
});
