/** What the types say. The compiler checks them (`npm run check`); nothing of this is called. */
import { expectTypeOf, test } from "vitest";
import type { ApiPromise, PagedPromise } from "./call/api-promise.ts";
import { createFeather } from "./client.ts";
import type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyList,
  ApiKeyRotateRequest,
  ChatCompletion,
  ChatCompletionChunk,
  ResponsesAnswer,
  ToolCall,
} from "./generated/schemas.ts";
import type { AnswerStream } from "./stream/answer-stream.ts";
import type { EventStream } from "./stream/event-stream.ts";
import type { Body, OperationId, Query, Result } from "./types.ts";

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

test("a stream that is asked for by a variable has both types", () => {
  const either = (stream: boolean) => feather.chat.completions.create({ ...ask, stream });
  expectTypeOf(either).returns.toEqualTypeOf<ApiPromise<ChatCompletion | AnswerStream<ChatCompletionChunk>>>();
});

test("events of streams are told apart by their type", () => {
  never()(async () => {
    for await (const event of await feather.responses.create({ model: "m/n", input: "Hi", stream: true })) {
      if (event.type === "response.output_text.delta") expectTypeOf(event.delta).toEqualTypeOf<string>();
      if (event.type === "response.completed") expectTypeOf(event.response).toEqualTypeOf<ResponsesAnswer>();
    }
    const messages = [{ role: "user" as const, content: "Hi" }];
    for await (const event of await feather.messages.create({ model: "m/n", max_tokens: 9, messages, stream: true }))
      if (event.type === "content_block_delta" && event.delta.type === "text_delta")
        expectTypeOf(event.delta.text).toEqualTypeOf<string>();
  });
});

test("roles, finish reasons and kinds are literal types", () => {
  type Choice = ChatCompletion["choices"][number];
  expectTypeOf<Choice["message"]["role"]>().toEqualTypeOf<"assistant">();
  expectTypeOf<"stop" | "length">().toExtend<Choice["finish_reason"]>();
  expectTypeOf<string>().not.toExtend<Choice["finish_reason"]>();
  expectTypeOf<ToolCall["type"]>().toEqualTypeOf<"function">();
});

test("wrong values do not compile", () => {
  const create = feather.chat.completions.create;
  never()(() => {
    feather.models.list({ availability: "warm" });
    feather.models.list({ availability: "warm,loading" });
    // @ts-expect-error there is no such state
    feather.models.list({ availability: "warmish" });
    // @ts-expect-error there is no such order
    feather.models.list({ sort: "price" });
    create({ model: "m/n", messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }] });
    // @ts-expect-error there is no such kind of part
    create({ model: "m/n", messages: [{ role: "user", content: [{ type: "txt", text: "Hi" }] }] });
    // @ts-expect-error there is no such role
    create({ model: "m/n", messages: [{ role: "human", content: "Hi" }] });
    // @ts-expect-error all tools are functions
    create({ ...ask, tools: [{ type: "tool", function: { name: "weather" } }] });
    // @ts-expect-error there is no such kind of item
    feather.responses.create({ model: "m/n", input: [{ type: "mesage", content: "Hi" }] });
    // @ts-expect-error there is no such kind of block
    feather.messages.create({ model: "m/n", max_tokens: 9, messages: [{ role: "user", content: [{ type: "txt" }] }] });
    // @ts-expect-error there is no such scope
    feather.apiKeys.create({ name: "laptop", scopes: ["keys.read"] });
  });
});

test("misspelt fields do not compile, except in calls to models, which pass fields of backends on", () => {
  never()(() => {
    // @ts-expect-error there is no such field
    feather.apiKeys.create({ name: "laptop", expries_at: null });
    // @ts-expect-error there is no such field
    feather.apiKeys.update("key_1", { nmae: "laptop" });
    feather.chat.completions.create({ ...ask, guided_regex: "a+" });
  });
});

test("bodies and results are types that can be imported", () => {
  expectTypeOf(feather.apiKeys.list).returns.toEqualTypeOf<PagedPromise<ApiKeyList>>();
  expectTypeOf(feather.apiKeys.rotate).parameter(1).toEqualTypeOf<ApiKeyRotateRequest | undefined>();
  expectTypeOf<Result<"apiKeys.list">>().toEqualTypeOf<ApiKeyList>();
  expectTypeOf<Body<"apiKeys.create">>().toEqualTypeOf<ApiKeyCreate>();
  expectTypeOf<ApiKeyList["items"][number]>().toEqualTypeOf<ApiKey>();
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
