import { isRecord, parseReportedUsage, type ReportedUsage } from "../../usage/reported-usage.ts";
import { type Fields, omitNullish } from "../fields.ts";
import type { WholeAnswer } from "../format.ts";

/** Longer sound than any file of a call can have: a number that is larger is none. */
const MAX_SECONDS = 1_000_000;
/** Most backends count seconds or nothing, and no tokens. */
const NO_TOKENS: ReportedUsage = { prompt: 0, completion: 0, cached: null, given: {} };

/** Returns the text of a sound from a backend's JSON in OpenAI's form, alone if `isText`; null if it has none. */
export function toTranscription(raw: Fields, isText: boolean): WholeAnswer | null {
  const { text, task, language, words, segments } = raw;
  if (typeof text !== "string") return null;
  const duration = readSeconds(raw.duration);
  const tokens = readTokens(raw.usage);
  const seconds = readCountedSeconds(raw.usage) ?? duration;
  const answer = omitNullish({
    text,
    task: typeof task === "string" ? task : null,
    language: typeof language === "string" ? language : null,
    duration,
    words: Array.isArray(words) ? words.filter(isRecord) : null,
    segments: Array.isArray(segments) ? segments.filter(isRecord) : null,
    usage: toUsage(tokens, seconds),
  });
  return {
    answer: isText ? text : answer,
    usage: tokens ?? NO_TOKENS,
    ...toAudioLength(seconds),
  };
}

/** Returns the length of the sound in milliseconds, for a call's outcome; nothing if it is unknown. */
export function toAudioLength(seconds: number | null): { audioMs?: number } {
  return seconds === null ? {} : { audioMs: Math.round(seconds * 1000) };
}

/** Returns the usage of an answer in the form of OpenAI's API; null if nothing was counted. */
export function toUsage(tokens: ReportedUsage | null, seconds: number | null): Fields | null {
  if (tokens === null) return seconds === null ? null : { type: "duration", seconds };
  const { prompt, completion } = tokens;
  return { type: "tokens", input_tokens: prompt, output_tokens: completion, total_tokens: prompt + completion };
}

/** Returns the tokens in the usage of a backend; null if it counted none. */
export function readTokens(usage: unknown): ReportedUsage | null {
  if (!isRecord(usage)) return null;
  const { input_tokens = usage.prompt_tokens, output_tokens = usage.completion_tokens } = usage;
  return parseReportedUsage({ prompt_tokens: input_tokens, completion_tokens: output_tokens });
}

/** Returns the seconds in the usage of a backend; null if it counted none. */
export function readCountedSeconds(usage: unknown): number | null {
  return isRecord(usage) ? readSeconds(usage.seconds) : null;
}

/** Returns a length in seconds, which some backends send as a text; null if it is none. */
function readSeconds(given: unknown): number | null {
  const seconds = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
  return typeof seconds === "number" && seconds >= 0 && seconds <= MAX_SECONDS ? seconds : null;
}
