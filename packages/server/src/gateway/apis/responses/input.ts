import { type Fields, joinPieces, omitNullish, toRecord } from "../../formats/fields.ts";
import { OPENAI_REASONING } from "../../formats/reasoning-details.ts";
import { readDataAddress } from "../data-address.ts";
import { unsuitableMedia } from "../unsuitable.ts";

/** The API wants a name for each document that is sent with its content. */
const UNNAMED = "document";

/** Returns the items for a message of a chat: an assistant's reasoning, text and calls are items of their own. */
export function toInputItems(message: Fields): Fields[] {
  const { role, content } = message;
  if (role === "assistant") return toAssistantItems(message);
  if (role === "tool") return [toCallOutput(message)];
  return [{ role, content: toParts(content) }];
}

function toAssistantItems({ content, tool_calls: calls, reasoning_details: details }: Fields): Fields[] {
  const text = toText(content);
  return [
    ...(Array.isArray(details) ? details.flatMap((detail) => toReasoning(toRecord(detail))) : []),
    ...(text === "" ? [] : [{ role: "assistant", content: text }]),
    ...(Array.isArray(calls) ? calls.map((call) => toCall(toRecord(call))) : []),
  ];
}

/** Returns reasoning that only the API's models can read, as they have written it; nothing for that of others. */
function toReasoning({ type, data, id, format }: Fields): Fields[] {
  if (type !== "reasoning.encrypted" || format !== OPENAI_REASONING || typeof data !== "string") return [];
  return [omitNullish({ type: "reasoning", id, summary: [], encrypted_content: data })];
}

function toCall({ id, function: called }: Fields): Fields {
  const { name, arguments: text } = toRecord(called);
  return { type: "function_call", call_id: id, name, arguments: text };
}

function toCallOutput({ tool_call_id: id, content }: Fields): Fields {
  return { type: "function_call_output", call_id: id, output: toParts(content) };
}

/** Returns what an assistant has written: a text, or parts that are texts and refusals. */
function toText(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return joinPieces(content.map(toRecord).map(({ text, refusal }) => String(text ?? refusal ?? "")));
}

function toParts(content: unknown): unknown {
  return Array.isArray(content) ? content.map((part) => toPart(toRecord(part))) : content;
}

function toPart(part: Fields): Fields {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image_url": {
      const { url, detail = "auto" } = toRecord(part.image_url);
      return { type: "input_image", image_url: url, detail };
    }
    case "file":
      return toFile(toRecord(part.file));
    default:
      throw unsuitableMedia(part.type === "video_url" ? "videos" : "sound");
  }
}

function toFile({ filename, file_data: address }: Fields): Fields {
  if (readDataAddress(address) === null) return { type: "input_file", file_url: address };
  return { type: "input_file", filename: filename ?? UNNAMED, file_data: address };
}
