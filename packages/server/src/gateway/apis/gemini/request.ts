import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import { toInput } from "../../formats/messages/input.ts";
import type { CallBody } from "../../formats/parsed-request.ts";
import { GOOGLE_REASONING } from "../../formats/reasoning-details.ts";
import { toParts } from "./parts.ts";
import { toThinkingConfig } from "./thinking.ts";

/**
 * What Google's documentation gives for calls that another model has made, or whose signature is lost: its newer models
 * refuse calls without a signature.
 */
const UNSIGNED = "skip_thought_signature_validator";
/** Models that take calls without a signature. */
const WITHOUT_SIGNATURES = /gemini-[12]\b/;

/** Returns the body of `generateContent` for a chat in the gateway's form. `thinking` holds a caller's own options. */
export function toContentBody(chat: CallBody, thinking: Fields): Fields {
  const messages = Array.isArray(chat.messages) ? chat.messages.map(toRecord) : [];
  const [first] = messages;
  const system = first?.role === "system" ? toParts(first.content) : undefined;
  return omitNullish({
    contents: toContents(system === undefined ? messages : messages.slice(1), chat.model),
    systemInstruction: system && { parts: system },
    generationConfig: toGenerationConfig(chat, thinking),
    ...toToolFields(chat),
  });
}

function toGenerationConfig(chat: CallBody, thinking: Fields): Fields {
  return omitNullish({
    temperature: chat.temperature,
    topP: chat.top_p,
    topK: chat.top_k,
    maxOutputTokens: chat.max_tokens,
    stopSequences: typeof chat.stop === "string" ? [chat.stop] : chat.stop,
    candidateCount: chat.n,
    seed: chat.seed,
    presencePenalty: chat.presence_penalty,
    frequencyPenalty: chat.frequency_penalty,
    thinkingConfig: toThinkingConfig(chat, thinking),
    ...toResponseFormat(toRecord(chat.response_format)),
  });
}

function toResponseFormat({ type, json_schema }: Fields): Fields {
  if (type !== "json_object" && type !== "json_schema") return {};
  return omitNullish({ responseMimeType: "application/json", responseJsonSchema: toRecord(json_schema).schema });
}

/** Returns the turns of a conversation. Results of tools name the tool, which the calls before them tell. */
function toContents(messages: readonly Fields[], model: string): Fields[] {
  const names = new Map<unknown, unknown>();
  const contents: { role: string; parts: Fields[] }[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "model" : "user";
    const parts = toMessageParts(message, names, model);
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) contents.push({ role, parts });
  }
  return contents;
}

function toMessageParts(message: Fields, names: Map<unknown, unknown>, model: string): Fields[] {
  if (message.role === "tool") return toResultParts(message, names.get(message.tool_call_id));
  if (message.role !== "assistant") return toParts(message.content);
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.map(toRecord) : [];
  for (const { id, function: called } of calls) names.set(id, toRecord(called).name);
  return toModelParts(message, calls, model);
}

/** Returns the parts of a model's turn. A signature stands at the part that it was received with. */
function toModelParts(
  { content, reasoning_details: details }: Fields,
  calls: readonly Fields[],
  model: string,
): Fields[] {
  const signed = (Array.isArray(details) ? details.map(toRecord) : []).filter(
    ({ format }) => format === GOOGLE_REASONING,
  );
  const signatureOf = (id: unknown) => signed.find((detail) => detail.id === id)?.data;
  const texts = toParts(content);
  const last = texts.at(-1);
  const textSignature = signatureOf(undefined);
  if (last !== undefined && textSignature !== undefined) last.thoughtSignature = textSignature;
  const required = WITHOUT_SIGNATURES.test(model) ? undefined : UNSIGNED;
  const callParts = calls.map(({ id, function: called }, at) => {
    const { name, arguments: text } = toRecord(called);
    const thoughtSignature = signatureOf(id) ?? (at === 0 ? required : undefined);
    return omitNullish({ functionCall: { id, name, args: toInput(String(text ?? "")) }, thoughtSignature });
  });
  return [...texts, ...callParts];
}

/** Returns the result of a tool: its texts as one value, and its pictures behind it. */
function toResultParts({ tool_call_id: id, content }: Fields, name: unknown): Fields[] {
  const parts = toParts(content);
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  const media = parts.filter(({ text }) => text === undefined);
  return [{ functionResponse: { id, name, response: { result: texts.join("\n") } } }, ...media];
}

function toToolFields({ tools, tool_choice: choice }: CallBody): Fields {
  if (!Array.isArray(tools)) return {};
  const functionDeclarations = tools.map((tool) => {
    const { name, description, parameters } = toRecord(toRecord(tool).function);
    return omitNullish({ name, description, parametersJsonSchema: parameters });
  });
  const functionCallingConfig = toCallingConfig(choice);
  return {
    tools: [{ functionDeclarations }],
    ...(functionCallingConfig !== undefined && { toolConfig: { functionCallingConfig } }),
  };
}

function toCallingConfig(choice: unknown): Fields | undefined {
  if (choice === undefined) return undefined;
  if (typeof choice === "string") return { mode: choice === "required" ? "ANY" : choice.toUpperCase() };
  return { mode: "ANY", allowedFunctionNames: [toRecord(toRecord(choice).function).name] };
}
