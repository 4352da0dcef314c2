import { basename, extname } from "node:path";
import type { ResponseFormat } from "../../chat/answer.ts";
import { readBytes } from "../../chat/document-files.ts";
import { isRecord } from "../../config/record.ts";
import { UsageError, WorkFailedError } from "../../errors.ts";

const MAX_SCHEMA_BYTES = 1_000_000;
const MAX_NAME_LENGTH = 64;

/** Reads a JSON Schema that an answer has to follow. Throws `UsageError` when the file holds none. */
export async function loadResponseFormat(path: string): Promise<ResponseFormat> {
  const schema = parse((await readBytes(path, MAX_SCHEMA_BYTES)).toString("utf8"));
  if (!isRecord(schema))
    throw new UsageError(
      `${path} holds no JSON Schema`,
      'a file such as {"type":"object","properties":{"name":{"type":"string"}}}',
    );
  const name = basename(path, extname(path))
    .replace(/[^\w-]/g, "_")
    .slice(0, MAX_NAME_LENGTH);
  return { type: "json_schema", json_schema: { name: name || "answer", schema } };
}

/** Returns the value of an answer in JSON. Throws `WorkFailedError` when it is none. */
export function parseJsonAnswer(content: string, finishReason: string | null | undefined): unknown {
  const value = parse(content);
  if (value !== undefined) return value;
  throw finishReason === "length"
    ? new WorkFailedError("the answer was cut off before its JSON was complete", "a larger --max-tokens")
    : new WorkFailedError("the answer is not JSON: the model may not support schemas", "feather models show <id>");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
