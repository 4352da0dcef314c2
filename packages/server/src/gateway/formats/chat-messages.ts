import { errors } from "../../platform/core/errors/index.ts";
import { toWellFormedJson } from "../../platform/core/exact-json.ts";
import {
  type Fields,
  invalidField,
  omitNullish,
  requireArray,
  requireObject,
  requireString,
  toArguments,
} from "./fields.ts";
import { type MediaKind, type RemoteMedia, validateMediaUrl } from "./media-address.ts";

/** Messages as sent to backends, and the names of the fields that were dropped. */
export type RebuiltMessages = { messages: Fields[]; dropped: string[] };

const MESSAGE_FIELDS = ["role", "content", "name", "tool_calls", "tool_call_id", "reasoning_content", "reasoning"];
const TOOL_CALL_FIELDS = ["id", "type", "function"];
const FUNCTION_FIELDS = ["name", "arguments"];
const PART_TYPES = "text, refusal, image_url, input_audio, audio_url, video_url or file";
const AUDIO_FORMAT = /^[a-z0-9.+-]{1,32}$/i;
const BASE64 = /^[A-Za-z0-9+/=_\s-]*$/;

/**
 * Copies the known fields of a chat's messages, because backends also read fields outside OpenAI's API: vLLM fetches the
 * `image_url` of a part of any type. Throws `invalid_request` for unknown types of parts and for addresses that must not be
 * passed on.
 */
export function rebuildMessages(chat: readonly unknown[], remoteMedia: RemoteMedia): RebuiltMessages {
  const dropped = new Set<string>();

  function pick(record: Fields, names: readonly string[]): Fields {
    const known = omitNullish(record);
    const picked: Fields = {};
    for (const name of Object.keys(known))
      if (!names.includes(name)) dropped.add(`messages.${name}`);
      else picked[name] = known[name];
    return picked;
  }

  function rebuildMedia(part: Fields, field: string, kind: MediaKind, param: string): Fields {
    const { url, ...others } = pick(requireObject(part[field], `${param}.${field}`), ["url", "detail"]);
    const address = validateMediaUrl(
      requireString(url, `${param}.${field}.url`),
      kind,
      remoteMedia,
      `${param}.${field}.url`,
    );
    return { type: field, [field]: { url: address, ...others } };
  }

  function rebuildPart(raw: unknown, param: string): Fields {
    const part = requireObject(raw, param);
    const type = String(part.type);
    pick(part, ["type", type]);
    switch (type) {
      case "text":
        return { type, text: requireString(part.text, `${param}.text`) };
      case "refusal": // what a model said earlier; not every backend knows the type
        return { type: "text", text: requireString(part.refusal, `${param}.refusal`) };
      case "image_url":
        return rebuildMedia(part, type, "image", param);
      case "audio_url":
        return rebuildMedia(part, type, "audio", param);
      case "video_url":
        return rebuildMedia(part, type, "video", param);
      case "input_audio":
        return {
          type,
          input_audio: rebuildAudio(pick(requireObject(part[type], `${param}.${type}`), ["data", "format"]), param),
        };
      case "file": {
        const { filename, file_data: data } = pick(requireObject(part.file, `${param}.file`), [
          "filename",
          "file_data",
        ]);
        const address = validateMediaUrl(
          requireString(data, `${param}.file.file_data`),
          "file",
          remoteMedia,
          `${param}.file.file_data`,
        );
        return { type, file: { ...(typeof filename === "string" && { filename }), file_data: address } };
      }
      default:
        throw invalidField(`${param}.type`, PART_TYPES);
    }
  }

  function rebuildToolCall(raw: unknown, param: string): Fields {
    const call = pick(requireObject(raw, param), TOOL_CALL_FIELDS);
    const called = pick(requireObject(call.function, `${param}.function`), FUNCTION_FIELDS);
    const text = toArguments(requireString(called.arguments ?? "", `${param}.function.arguments`));
    return { ...call, function: { ...called, arguments: toWellFormedJson(text) } };
  }

  function rebuildMessage(raw: unknown, param: string): Fields {
    const message = requireObject(raw, param);
    refuseOldCall(message, param);
    const rebuilt: Fields = { ...pick(message, MESSAGE_FIELDS), ...(message.content === null && { content: null }) };
    const { content, tool_calls: calls } = rebuilt;
    if (Array.isArray(content))
      rebuilt.content = content.map((part, at) => rebuildPart(part, `${param}.content[${at}]`));
    if (calls !== undefined)
      rebuilt.tool_calls = requireArray(calls, `${param}.tool_calls`).map((call, at) =>
        rebuildToolCall(call, `${param}.tool_calls[${at}]`),
      );
    return rebuilt;
  }

  const messages = chat.map((message, at) => rebuildMessage(message, `messages[${at}]`));
  return { messages, dropped: [...dropped] };
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
