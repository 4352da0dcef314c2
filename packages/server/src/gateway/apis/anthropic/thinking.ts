import { type Fields, toRecord } from "../../formats/fields.ts";
import type { CallBody } from "../../formats/parsed-request.ts";

/** Efforts that OpenAI's API knows and Anthropic's does not, and the nearest that it knows. */
const EFFORTS: ReadonlyMap<unknown, string> = new Map([["minimal", "low"]]);

/**
 * Returns the fields about thinking: the caller's own options, or what the effort or the switch of a chat asks for.
 * Thinking that is only switched on is left to the model to measure.
 */
export function toThinking(chat: CallBody, own: Readonly<Fields>): Fields {
  const { reasoning_effort: given, chat_template_kwargs: kwargs } = chat;
  const thinking = own.thinking ?? chat.thinking ?? toType(given, toRecord(kwargs).enable_thinking);
  const effort = own.effort ?? (given === "none" ? undefined : (EFFORTS.get(given) ?? given));
  return {
    ...(thinking !== undefined && { thinking }),
    ...(effort !== undefined && { output_config: { effort } }),
  };
}

function toType(effort: unknown, isOn: unknown): Fields | undefined {
  if (effort === "none" || isOn === false) return { type: "disabled" };
  return effort !== undefined || isOn === true ? { type: "adaptive" } : undefined;
}
