import { type Fields, toRecord } from "../../formats/fields.ts";
import type { CallBody } from "../../formats/parsed-request.ts";

/** Efforts that OpenAI's API knows and Anthropic's does not, and the nearest that it knows. */
const EFFORTS: ReadonlyMap<unknown, string> = new Map([["minimal", "low"]]);

/**
 * Returns the fields about thinking: the caller's own options, or what the effort or the switch of a chat asks for.
 * Thinking that is only switched on is left to the model to measure.
 */
export function toThinking({ reasoning_effort: effort, chat_template_kwargs: kwargs }: CallBody, own?: Fields): Fields {
  const isOn = toRecord(kwargs).enable_thinking;
  const thinking = own ?? toType(effort, isOn);
  return {
    ...(thinking !== undefined && { thinking }),
    ...(typeof effort === "string" &&
      effort !== "none" && { output_config: { effort: EFFORTS.get(effort) ?? effort } }),
  };
}

function toType(effort: unknown, isOn: unknown): Fields | undefined {
  if (effort === "none" || isOn === false) return { type: "disabled" };
  return effort !== undefined || isOn === true ? { type: "adaptive" } : undefined;
}
