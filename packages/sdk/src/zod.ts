/**
 * Structured output and tools from zod schemas. `zod` 4 is a peer dependency.
 *
 * ```ts
 * import { zodFormat } from "@feather/sdk/zod";
 * import { z } from "zod";
 *
 * const Bird = z.object({ name: z.string(), grams: z.number() });
 * const answer = await feather.chat.completions.parse({
 *   model: "feather/demo",
 *   messages: [{ role: "user", content: "A bird, as JSON" }],
 *   response_format: zodFormat(Bird, "bird"),
 * });
 * console.log(answer.choices[0]?.message.parsed.grams);
 * ```
 */
import { toJSONSchema, type ZodType } from "zod";
import type { FormatOf } from "./call/structured.ts";
import type { Tool } from "./tools.ts";

/** Creates a `response_format` from a schema that also validates the output. The model sees `name`: letters, digits, `_` and `-`. */
export function zodFormat<T>(schema: ZodType<T>, name = "answer"): FormatOf<T> {
  return {
    type: "json_schema",
    json_schema: { name, strict: true, schema: toJSONSchema(schema) as Record<string, unknown> },
    check: (value) => schema.parse(value),
  };
}

/** Creates a tool whose arguments are validated by a schema before it runs. The model may omit fields that have a default. */
export function zodTool<T>(tool: {
  name: string;
  description: string;
  parameters: ZodType<T>;
  run(input: T, signal?: AbortSignal): unknown;
}): Tool {
  const { name, description, parameters, run } = tool;
  return {
    name,
    description,
    parameters: toJSONSchema(parameters, { io: "input" }) as Record<string, unknown>,
    run: (input, signal) => run(parameters.parse(input), signal),
  };
}
