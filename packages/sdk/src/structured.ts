import { OutputError } from "./errors.ts";
import type { AssistantMessage, ChatCompletion } from "./types.ts";

/** A `response_format` that knows how to check what it asked for: see `zodFormat` of `@feather/sdk/zod`. */
export type FormatOf<T> = {
  type: "json_schema";
  json_schema: { name: string; strict?: boolean; schema: Record<string, unknown> };
  /** Checks a value and gives it its type. Throws when it is of another shape. */
  readonly check: (value: unknown) => T;
};

/** A completion whose messages were read as data. */
export type ParsedAnswer<T> = Omit<ChatCompletion, "choices"> & {
  choices: (Omit<ChatCompletion["choices"][number], "message"> & { message: AssistantMessage & { parsed: T } })[];
};

/** Reads the message of every choice by a format. */
export function parsed<T>(answer: ChatCompletion, { check }: FormatOf<T>): ParsedAnswer<T> {
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
