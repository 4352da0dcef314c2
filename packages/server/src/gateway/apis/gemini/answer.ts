import { toExactJson } from "../../../platform/core/exact-json.ts";
import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import { GOOGLE_REASONING } from "../../formats/reasoning-details.ts";

/** What a model has called so far in one answer, by the index of the choice. */
type CallCounts = Map<number, number>;

/** Returns a complete answer of `generateContent` as a chat completion. */
export function readContent(body: Fields): Fields {
  return toAnswer(body, "message", new Map());
}

/** Creates the reader of the events of one streamed answer. It returns chunks of a chat completion. */
export function createContentReader(): (event: Fields) => Fields {
  const counts: CallCounts = new Map();
  return (event) => (event.error === undefined ? toAnswer(event, "delta", counts) : event);
}

function toAnswer(body: Fields, field: "message" | "delta", counts: CallCounts): Fields {
  const { candidates, promptFeedback, usageMetadata, responseId } = body;
  const blocked = toRecord(promptFeedback).blockReason;
  const given = Array.isArray(candidates) ? candidates.map(toRecord) : [];
  if (given.length === 0 && blocked === undefined && usageMetadata === undefined) return body;
  const choices = given.map((candidate, position) => toChoice(candidate, position, { field, counts, responseId }));
  if (blocked !== undefined) choices.push(toBlockedChoice(String(blocked), field));
  return { choices, ...omitNullish({ usage: readUsage(usageMetadata) }) };
}

type Reading = { field: "message" | "delta"; counts: CallCounts; responseId: unknown };

function toChoice({ index, content, finishReason }: Fields, position: number, reading: Reading): Fields {
  const at = typeof index === "number" ? index : position;
  const { parts } = toRecord(content);
  const given = Array.isArray(parts) ? parts.map(toRecord) : [];
  const textOf = (isThought: boolean) =>
    given
      .filter(({ text, thought }) => typeof text === "string" && (thought === true) === isThought)
      .map(({ text }) => String(text))
      .join("");
  const calls = given.filter(({ functionCall }) => functionCall !== undefined);
  const ids = calls.map((part) => nextCall(toRecord(part.functionCall), at, reading));
  const details = [
    ...calls.flatMap(({ thoughtSignature }, order) => toDetail(thoughtSignature, ids[order]?.id)),
    ...given
      .filter(({ functionCall }) => functionCall === undefined)
      .flatMap((part) => toDetail(part.thoughtSignature)),
  ];
  const [text, thoughts] = [textOf(false), textOf(true)];
  const message = omitNullish({
    role: "assistant",
    content: text === "" ? (reading.field === "message" ? null : undefined) : text,
    reasoning_content: thoughts === "" ? undefined : thoughts,
    reasoning_details: details.length > 0 ? details : undefined,
    tool_calls: ids.length > 0 ? ids : undefined,
  });
  return { index: at, [reading.field]: message, finish_reason: finishReason ?? null };
}

/** Returns a call of a tool. The API gives calls no id, or one that it reads again. */
function nextCall({ id, name, args }: Fields, choice: number, { counts, responseId }: Reading): Fields {
  const index = counts.get(choice) ?? 0;
  counts.set(choice, index + 1);
  return {
    index,
    id: typeof id === "string" && id !== "" ? id : `call_${String(responseId ?? "")}_${choice}_${index}`,
    type: "function",
    function: { name, arguments: toExactJson(args ?? {}) },
  };
}

function toDetail(signature: unknown, id?: unknown): Fields[] {
  if (typeof signature !== "string") return [];
  return [omitNullish({ type: "reasoning.encrypted", data: signature, id, format: GOOGLE_REASONING })];
}

/** Returns the answer to a prompt that a filter of the provider has stopped. */
function toBlockedChoice(reason: string, field: "message" | "delta"): Fields {
  const refusal = `The provider's filter stopped this prompt (${reason}).`;
  return { index: 0, [field]: { role: "assistant", refusal }, finish_reason: "content_filter" };
}

/** Returns the usage in the form of OpenAI's: thinking counts as written. Undefined without any count. */
function readUsage(value: unknown): Fields | undefined {
  const {
    promptTokenCount,
    candidatesTokenCount,
    thoughtsTokenCount,
    cachedContentTokenCount,
    toolUsePromptTokenCount,
  } = toRecord(value);
  if (typeof promptTokenCount !== "number") return undefined;
  const thoughts = toCount(thoughtsTokenCount);
  const prompt = promptTokenCount + toCount(toolUsePromptTokenCount);
  const completion = toCount(candidatesTokenCount) + thoughts;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: toCount(cachedContentTokenCount) },
    completion_tokens_details: { reasoning_tokens: thoughts },
  };
}

function toCount(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
