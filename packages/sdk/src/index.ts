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

export { ApiPromise, PagedPromise, type WithResponse } from "./api-promise.ts";
export { type Answers, createFeather, type Feather, type FeatherOptions } from "./client.ts";
export * from "./errors.ts";
export { ROUTES } from "./generated/routes.ts";
export { AnswerStream } from "./stream.ts";
export type { Fetch, Logger } from "./transport.ts";
export type * from "./types.ts";
