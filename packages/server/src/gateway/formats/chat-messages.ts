import { type Fields, given, listOf, recordOf, textOf, wrong } from "./fields.ts";
import { admitMediaUrl, type MediaKind, type RemoteMedia } from "./media-address.ts";

/** Messages as sent to backends, and the names of the fields that were dropped. */
export type RebuiltMessages = { messages: Fields[]; dropped: string[] };

const MESSAGE_FIELDS = ["role", "content", "name", "tool_calls", "tool_call_id", "reasoning_content", "reasoning"];
const TOOL_CALL_FIELDS = ["id", "type", "function"];
const FUNCTION_FIELDS = ["name", "arguments"];
const PART_TYPES = "text, refusal, image_url, input_audio, audio_url, video_url or file";
const AUDIO_FORMAT = /^[a-z0-9.+-]{1,32}$/i;
const BASE64 = /^[A-Za-z0-9+/=_\s-]*$/;

/**
 * Copies the known fields of a chat's messages, because backends also read fields outside OpenAI's API: vLLM fetches
 * the `image_url` of a part of any type. Throws `invalid_request` for unknown part types and for addresses that must
 * not be passed on.
 */
export function rebuildMessages(chat: readonly unknown[], remote: RemoteMedia): RebuiltMessages {
  const dropped = new Set<string>();

  function pick(record: Fields, names: readonly string[]): Fields {
    const known = given(record);
    for (const name of Object.keys(known)) if (!names.includes(name)) dropped.add(`messages.${name}`);
    return Object.fromEntries(names.filter((name) => name in known).map((name) => [name, known[name]]));
  }

  function media(part: Fields, field: string, kind: MediaKind, param: string): Fields {
    const { url, ...others } = pick(recordOf(part[field], `${param}.${field}`), ["url", "detail"]);
    const address = admitMediaUrl(textOf(url, `${param}.${field}.url`), kind, remote, `${param}.${field}.url`);
    return { type: field, [field]: { url: address, ...others } };
  }

  function partOf(raw: unknown, param: string): Fields {
    const part = recordOf(raw, param);
    const type = String(part.type);
    pick(part, ["type", type]);
    switch (type) {
      case "text":
        return { type, text: textOf(part.text, `${param}.text`) };
      case "refusal": // what a model said earlier; not every backend knows the type
        return { type: "text", text: textOf(part.refusal, `${param}.refusal`) };
      case "image_url":
        return media(part, type, "image", param);
      case "audio_url":
        return media(part, type, "audio", param);
      case "video_url":
        return media(part, type, "video", param);
      case "input_audio":
        return {
          type,
          input_audio: audioOf(pick(recordOf(part[type], `${param}.${type}`), ["data", "format"]), param),
        };
      case "file": {
        const { filename, file_data: data } = pick(recordOf(part.file, `${param}.file`), ["filename", "file_data"]);
        const address = admitMediaUrl(
          textOf(data, `${param}.file.file_data`),
          "file",
          remote,
          `${param}.file.file_data`,
        );
        return { type, file: { ...(typeof filename === "string" && { filename }), file_data: address } };
      }
      default:
        throw wrong(`${param}.type`, PART_TYPES);
    }
  }

  function toolCallOf(raw: unknown, param: string): Fields {
    const call = pick(recordOf(raw, param), TOOL_CALL_FIELDS);
    return { ...call, function: pick(recordOf(call.function, `${param}.function`), FUNCTION_FIELDS) };
  }

  function messageOf(raw: unknown, param: string): Fields {
    const message = recordOf(raw, param);
    const built: Fields = { ...pick(message, MESSAGE_FIELDS), ...(message.content === null && { content: null }) };
    const { content, tool_calls: calls } = built;
    if (Array.isArray(content)) built.content = content.map((part, at) => partOf(part, `${param}.content[${at}]`));
    if (calls !== undefined)
      built.tool_calls = listOf(calls, `${param}.tool_calls`).map((call, at) =>
        toolCallOf(call, `${param}.tool_calls[${at}]`),
      );
    return built;
  }

  const messages = chat.map((message, at) => messageOf(message, `messages[${at}]`));
  return { messages, dropped: [...dropped] };
}

/** Backends decode the data, and put the format into a data URL of their own; so both are validated here. */
function audioOf({ data, format }: Fields, param: string): Fields {
  const text = textOf(data, `${param}.input_audio.data`);
  if (!BASE64.test(text)) throw wrong(`${param}.input_audio.data`, "base64");
  if (typeof format !== "string" || !AUDIO_FORMAT.test(format))
    throw wrong(`${param}.input_audio.format`, "a format such as wav or mp3");
  return { data: text, format };
}
