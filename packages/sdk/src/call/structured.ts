import { OutputError } from "../errors.ts";
import type { AssistantMessage, ChatCompletion, ChatCompletionChoice } from "../generated/schemas.ts";

/** A `response_format` that can validate the output: see `zodFormat` of `@feather/sdk/zod`. */
export type FormatOf<T> = {
  type: "json_schema";
  json_schema: { name: string; strict?: boolean; schema: Record<string, unknown> };
  /** Validates a value and returns it typed. Throws when it does not match. */
  readonly check: (value: unknown) => T;
};

/** A completion with the parsed data of each message. */
export type ParsedAnswer<T> = Omit<ChatCompletion, "choices"> & {
  choices: (Omit<ChatCompletionChoice, "message"> & { message: AssistantMessage & { parsed: T } })[];
};

/** Parses the message of every choice. Throws `OutputError` when one is cut off or does not match the format. */
export function parseAnswer<T>(answer: ChatCompletion, { check }: FormatOf<T>): ParsedAnswer<T> {
  const choices = answer.choices.map((choice) => {
    const text = choice.message.content ?? "";
    if (choice.finish_reason === "length")
      throw new OutputError("The answer was cut off by its limit of tokens before it was complete.", text);
    try {
      return { ...choice, message: { ...choice.message, parsed: check(JSON.parse(text)) } };
    } catch (cause) {
      throw new OutputError("The answer is not of the shape that was asked for.", text, { cause });
    }
  });
  return { ...answer, choices } as ParsedAnswer<T>;
}
