import { errors } from "../../platform/core/errors/index.ts";
import { toWellFormedJson } from "../../platform/core/exact-json.ts";
import { isRecord } from "../usage/reported-usage.ts";
import {
  type Fields,
  invalidField,
  omitNullish,
  requireArray,
  requireObject,
  requireString,
  toArguments,
} from "./fields.ts";
import { fileIdRefused, type MediaKind, type RemoteMedia, validateMediaUrl } from "./media-address.ts";
import { rebuildReasoningDetails } from "./reasoning-details.ts";

/**
 * Messages as sent to backends, the names of the fields that were dropped, and of those that only some backends' APIs have a
 * place for.
 */
export type RebuiltMessages = { messages: Fields[]; dropped: string[]; carried: string[] };

const MESSAGE_FIELDS = ["role", "content", "name", "tool_calls", "tool_call_id", "reasoning_content", "reasoning"];
/** Fields that are passed on to backends whose API has a place for them, and their valid form; undefined if there is none. */
const CARRIED_FIELDS: Readonly<Record<string, (value: unknown) => unknown>> = {
  cache_control: (mark) => (isRecord(mark) ? omitNullish({ type: mark.type, ttl: mark.ttl }) : undefined),
  reasoning_details: rebuildReasoningDetails,
};
const TOOL_CALL_FIELDS = ["id", "type", "function"];
const FUNCTION_FIELDS = ["name", "arguments"];
const PART_TYPES = "text, refusal, image_url, input_audio, audio_url, video_url or file";
const AUDIO_FORMAT = /^[a-z0-9.+-]{1,32}$/i;
const BASE64 = /^[A-Za-z0-9+/=_\s-]*$/;

/** The rules and the findings of rebuilding messages. */
type Rebuilding = { readonly remoteMedia: RemoteMedia; readonly dropped: Set<string>; readonly carried: Set<string> };

/**
 * Copies the known fields of a chat's messages, because backends also read fields outside OpenAI's API: vLLM fetches the
 * `image_url` of a part of any type. Throws `invalid_request` for unknown types of parts and for addresses that must not be
 * passed on.
 */
export function rebuildMessages(chat: readonly unknown[], remoteMedia: RemoteMedia): RebuiltMessages {
  const rebuilding = { remoteMedia, dropped: new Set<string>(), carried: new Set<string>() };
  const messages = chat.map((message, at) => rebuildMessage(rebuilding, message, `messages[${at}]`));
  return { messages, dropped: [...rebuilding.dropped], carried: [...rebuilding.carried] };
}

function rebuildMessage(rebuilding: Rebuilding, raw: unknown, param: string): Fields {
  const message = requireObject(raw, param);
  refuseOldCall(message, param);
  const rebuilt: Fields = {
    ...pick(rebuilding, message, MESSAGE_FIELDS),
    ...(message.content === null && { content: null }),
  };
  const { content, tool_calls: calls } = rebuilt;
  if (Array.isArray(content))
    rebuilt.content = content.map((part, at) => rebuildPart(rebuilding, part, `${param}.content[${at}]`));
  if (calls !== undefined)
    rebuilt.tool_calls = requireArray(calls, `${param}.tool_calls`).map((call, at) =>
      rebuildToolCall(rebuilding, call, `${param}.tool_calls[${at}]`),
    );
  return rebuilt;
}

/** Returns the named fields of a record, and those that only some backends' APIs have a place for. */
function pick(rebuilding: Rebuilding, record: Fields, names: readonly string[]): Fields {
  const known = omitNullish(record);
  const picked: Fields = {};
  for (const name of Object.keys(known))
    if (names.includes(name)) picked[name] = known[name];
    else Object.assign(picked, carry(rebuilding, name, known[name]));
  return picked;
}

/** Returns the field of a provider in its valid form. Any other field is listed as dropped. */
function carry({ dropped, carried }: Rebuilding, name: string, value: unknown): Fields {
  const kept = CARRIED_FIELDS[name]?.(value);
  (kept === undefined ? dropped : carried).add(`messages.${name}`);
  return kept === undefined ? {} : { [name]: kept };
}

function rebuildPart(rebuilding: Rebuilding, raw: unknown, param: string): Fields {
  const part = requireObject(raw, param);
  const type = String(part.type);
  const { [type]: _content, ...others } = pick(rebuilding, part, ["type", type]);
  return { ...others, ...rebuildContent(rebuilding, part, type, param) };
}

function rebuildContent(rebuilding: Rebuilding, part: Fields, type: string, param: string): Fields {
  switch (type) {
    case "text":
      return { type, text: requireString(part.text, `${param}.text`) };
    case "refusal": // what a model said earlier; not every backend knows the type
      return { type: "text", text: requireString(part.refusal, `${param}.refusal`) };
    case "image_url":
      return rebuildMedia(rebuilding, part, "image", param);
    case "audio_url":
      return rebuildMedia(rebuilding, part, "audio", param);
    case "video_url":
      return rebuildMedia(rebuilding, part, "video", param);
    case "input_audio": {
      const audio = requireObject(part[type], `${param}.${type}`);
      return { type, input_audio: rebuildAudio(pick(rebuilding, audio, ["data", "format"]), param) };
    }
    case "file":
      return rebuildFile(rebuilding, part, param);
    default:
      throw invalidField(`${param}.type`, PART_TYPES);
  }
}

function rebuildMedia(rebuilding: Rebuilding, part: Fields, kind: MediaKind, param: string): Fields {
  const field = String(part.type);
  const { url, ...others } = pick(rebuilding, requireObject(part[field], `${param}.${field}`), ["url", "detail"]);
  const text = requireString(url, `${param}.${field}.url`);
  const address = validateMediaUrl(text, kind, rebuilding.remoteMedia, `${param}.${field}.url`);
  return { type: field, [field]: { url: address, ...others } };
}

function rebuildFile(rebuilding: Rebuilding, part: Fields, param: string): Fields {
  const file = requireObject(part.file, `${param}.file`);
  if (file.file_id !== undefined && file.file_data === undefined) throw fileIdRefused(`${param}.file.file_id`);
  const { filename, file_data: data } = pick(rebuilding, file, ["filename", "file_data"]);
  const place = `${param}.file.file_data`;
  const address = validateMediaUrl(requireString(data, place), "file", rebuilding.remoteMedia, place);
  return { type: "file", file: { ...(typeof filename === "string" && { filename }), file_data: address } };
}

function rebuildToolCall(rebuilding: Rebuilding, raw: unknown, param: string): Fields {
  const call = pick(rebuilding, requireObject(raw, param), TOOL_CALL_FIELDS);
  const called = pick(rebuilding, requireObject(call.function, `${param}.function`), FUNCTION_FIELDS);
  const text = toArguments(requireString(called.arguments ?? "", `${param}.function.arguments`));
  return { ...call, function: { ...called, arguments: toWellFormedJson(text) } };
}

/** Throws `unsupported_parameter` for a call in the form that OpenAI used before tools: dropping it would lose the call. */
function refuseOldCall({ function_call: call }: Fields, param: string): void {
  if (call !== undefined && call !== null)
    throw errors.unsupportedParameter(`${param}.function_call is the form from before tools. Send tool_calls.`, {
      param: `${param}.function_call`,
    });
}

/** Validates data and format of audio, because backends decode the data and put the format into a data URL. */
function rebuildAudio({ data, format }: Fields, param: string): Fields {
  const text = requireString(data, `${param}.input_audio.data`);
  if (!BASE64.test(text)) throw invalidField(`${param}.input_audio.data`, "base64");
  if (typeof format !== "string" || !AUDIO_FORMAT.test(format))
    throw invalidField(`${param}.input_audio.format`, "a format such as wav or mp3");
  return { data: text, format };
}
