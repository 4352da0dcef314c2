import type { z } from "zod";

type Issue = z.core.$ZodRawIssue;

/**
 * Returns in words what is wrong with the value of a setting, without the value; undefined where zod's own sentence has to do. Messages
 * that a declaration has itself come first.
 */
export function describeIssue(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return describeType(issue.expected, issue.input);
    case "too_small":
      return describeLimit(issue.origin, Number(issue.minimum), issue.inclusive === false ? "more than" : "at least");
    case "too_big":
      return describeLimit(issue.origin, Number(issue.maximum), issue.inclusive === false ? "less than" : "at most");
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.join(", ")}`;
    case "invalid_format":
      return FORMATS[issue.format];
    case "unrecognized_keys":
      return `must not have ${issue.keys.join(", ")}`;
    default:
      return undefined;
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  url: "must be an address with its protocol, such as https://example.com",
  email: "must be an e-mail address",
  guid: "must be an id such as 8a3b1c9e-6c0c-4b8e-9a39-0c5a3d1a7e52",
};

/** What a value was expected to be, in JSON where it is more than a number or a text. */
const TYPES: Readonly<Record<string, string>> = {
  number: "must be a number",
  int: "must be a whole number",
  string: "must be a text",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be an object",
  record: "must be an object",
};

function describeType(expected: string, input: unknown): string | undefined {
  if (input === undefined) return "is missing";
  const isInJson = expected === "array" || expected === "object" || expected === "record";
  return isInJson && typeof input === "string" ? `${TYPES[expected]} in JSON` : TYPES[expected];
}

function describeLimit(origin: string, limit: number, how: string): string {
  if (origin === "string")
    return limit === 1 && how === "at least" ? "must not be empty" : `must have ${how} ${limit} characters`;
  return origin === "array" || origin === "set" ? `must have ${how} ${limit} entries` : `must be ${how} ${limit}`;
}
