import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import { OPENAI_REASONING } from "../../formats/reasoning-details.ts";
import { readUsage } from "./usage.ts";

/** Returns a complete answer of the Responses API as a chat completion. What is no answer is returned unchanged. */
export function readResponse(body: Fields): Fields {
  const { output, status, error, usage } = body;
  if (status === "failed") return { error: toRecord(error) };
  if (!Array.isArray(output)) return body;
  const items = output.map(toRecord);
  const parts = items.filter(({ type }) => type === "message").flatMap(({ content }) => toList(content));
  const textsOf = (type: string, field: string) =>
    parts.filter((part) => part.type === type).map((part) => String(part[field] ?? ""));
  const texts = textsOf("output_text", "text");
  const refusals = textsOf("refusal", "refusal");
  const thoughts = items.filter(({ type }) => type === "reasoning").flatMap(listThoughts);
  const details = items.flatMap((item, index) => toReasoningDetail(item, index) ?? []);
  const calls = items.filter(({ type }) => type === "function_call").map(toToolCall);
  const logprobs = parts.flatMap((part) => toList(part.logprobs));
  const message = omitNullish({
    role: "assistant",
    refusal: refusals.length > 0 ? refusals.join("") : undefined,
    reasoning_content: thoughts.length > 0 ? thoughts.join("\n\n") : undefined,
    reasoning_details: details.length > 0 ? details : undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
  });
  return {
    choices: [
      {
        index: 0,
        message: { ...message, content: texts.length > 0 ? texts.join("") : null },
        finish_reason: toFinishReason(body, calls.length > 0),
        ...(logprobs.length > 0 && { logprobs: { content: logprobs } }),
      },
    ],
    ...omitNullish({ usage: readUsage(usage) }),
  };
}

/** Returns why an answer ended; null if it did not. */
export function toFinishReason({ status, incomplete_details: details }: Fields, hasCalls: boolean): string | null {
  if (status === "completed") return hasCalls ? "tool_calls" : "stop";
  if (status !== "incomplete") return null;
  return toRecord(details).reason === "content_filter" ? "content_filter" : "length";
}

/** Returns reasoning that only its model can read again; null for an item of another kind. */
export function toReasoningDetail({ type, id, encrypted_content: data }: Fields, index: number): Fields | null {
  if (type !== "reasoning" || typeof data !== "string") return null;
  return omitNullish({ type: "reasoning.encrypted", data, id, format: OPENAI_REASONING, index });
}

/** The texts of reasoning: a summary, or what open models write. */
function listThoughts({ summary, content }: Fields): string[] {
  return [...toList(summary), ...toList(content)].flatMap(({ text }) => (typeof text === "string" ? [text] : []));
}

function toToolCall({ call_id: id, name, arguments: text }: Fields): Fields {
  return { id, type: "function", function: { name, arguments: text } };
}

function toList(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(toRecord) : [];
}
