/** What the types say. The compiler checks them (`npm run check`); nothing of this is called. */
import { expectTypeOf, test } from "vitest";
import type { ApiPromise, PagedPromise } from "./api-promise.ts";
import { createFeather } from "./client.ts";
import type { ApiKey, ChatCompletion, ChatCompletionChunk, ResponsesAnswer } from "./generated/schemas.ts";
import type { AnswerStream } from "./stream/answer-stream.ts";
import type { EventStream } from "./stream/event-stream.ts";
import type { OperationId, Query, Result } from "./types.ts";

const feather = createFeather({ baseUrl: "http://x" });
const ask = { model: "m/n", messages: [{ role: "user" as const, content: "Hi" }] };
const maybe: string | undefined = process.env.FEATHER_API_KEY;
const never = () => expectTypeOf<() => void>;

test("options accept undefined", () => {
  never()(() => {
    createFeather({
      baseUrl: maybe,
      apiKey: maybe,
      token: maybe,
      timeout: undefined,
      maxRetries: undefined,
      logger: console,
    });
    createFeather({
      fetch: globalThis.fetch,
      credentials: undefined,
      headers: undefined,
      dangerouslyAllowBrowser: undefined,
    });
    feather.models.list(
      { search: maybe, page: undefined },
      { signal: undefined, idempotencyKey: maybe, headers: { a: maybe } },
    );
    // @ts-expect-error there is no such option
    createFeather({ baseURL: "http://x" });
  });
});

test("stream decides the type that a completion returns", () => {
  const whole = () => feather.chat.completions.create(ask);
  const stream = () => feather.chat.completions.create({ ...ask, stream: true });
  expectTypeOf(whole).returns.toEqualTypeOf<ApiPromise<ChatCompletion>>();
  expectTypeOf(stream).returns.toEqualTypeOf<ApiPromise<AnswerStream<ChatCompletionChunk>>>();
  const own = () => feather.deployments.chat.completions.create("dep_1", { ...ask, stream: true });
  expectTypeOf(own).returns.toEqualTypeOf<ApiPromise<AnswerStream<ChatCompletionChunk>>>();
  const frames = () => feather.concurrency.stream();
  expectTypeOf(frames).returns.toEqualTypeOf<ApiPromise<EventStream<Result<"concurrency.stream">>>>();
});

test("lists iterate over their item type", () => {
  const models = () => feather.models.list();
  expectTypeOf(models).returns.toEqualTypeOf<PagedPromise<Result<"models.list">>>();
  const first = async () => {
    for await (const model of models()) return model;
    throw new Error("none");
  };
  expectTypeOf(first).returns.resolves.toEqualTypeOf<Result<"models.list">["items"][number]>();
});

test("fields are Date in our responses, string in queries, and unchanged in model responses", () => {
  expectTypeOf<ApiKey["created_at"]>().toEqualTypeOf<Date>();
  expectTypeOf<ApiKey["expires_at"]>().toEqualTypeOf<Date | null>();
  expectTypeOf<ResponsesAnswer["created_at"]>().toEqualTypeOf<number>();
});

test("calls without a body, or with HTML, have that type", () => {
  expectTypeOf<Result<"apiKeys.delete">>().toEqualTypeOf<undefined>();
  expectTypeOf<Result<"invoices.page">>().toEqualTypeOf<string>();
});

test("required inputs are enforced, and unknown ones rejected", () => {
  never()(() => {
    // @ts-expect-error a name is needed
    feather.apiKeys.create({});
    // @ts-expect-error an id is needed
    feather.apiKeys.get();
    // @ts-expect-error there is no such parameter
    feather.models.list({ serach: "coder" });
    // @ts-expect-error there is no such path
    feather.GET("/nowhere");
  });
  expectTypeOf<Query<"models.list">["perPage"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<"models.list" | "chat.completions.create">().toExtend<OperationId>();
});
