/**
 * The client of the Feather platform.
 *
 * ```ts
 * import { createFeather } from "@feather/sdk";
 *
 * const feather = createFeather({ baseUrl: "http://localhost:4000", apiKey: process.env.FEATHER_API_KEY });
 * const stream = await feather.chat.completions.create({ model: "feather/demo", messages: [{ role: "user", content: "Hello" }], stream: true });
 * for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? "");
 * ```
 */

export { ApiPromise, PagedPromise, type WithResponse } from "./call/api-promise.ts";
export type { CommaSeparated } from "./call/comma-separated.ts";
export type { FormatOf, ParsedAnswer } from "./call/structured.ts";
export { createFeather, type Feather, type Helpers } from "./client.ts";
export * from "./errors.ts";
export { type Logger, type LogLevel, redactUrl } from "./fetch/log.ts";
export type { Fetch } from "./fetch/send.ts";
export { toSiteUrl } from "./fetch/url.ts";
export { createUuid } from "./fetch/uuid.ts";
export { ERROR_ACTIONS, ERROR_COMMANDS, type ErrorCode } from "./generated/error-codes.ts";
export { OPERATIONS } from "./generated/operations.ts";
export type { Resources } from "./generated/resources.ts";
export type * from "./generated/schemas.ts";
export { APPLICATION_SCOPES, SCOPE_DESCRIPTIONS, SCOPES } from "./generated/scopes.ts";
export { type HttpMethod, type Operation, pathParametersOf } from "./operations.ts";
export type { FeatherOptions } from "./options.ts";
export { can, type Permission } from "./permissions.ts";
export type * from "./request-options.ts";
// Types only: the classes are exported by `@feather/sdk/streams`, so that stream code is loaded with the first stream.
export type { AnswerStream } from "./stream/answer-stream.ts";
export type { EventStream } from "./stream/event-stream.ts";
export type { Chunk } from "./stream/message.ts";
export type * from "./types.ts";
