import {
  type Fields,
  type IgnoredPaths,
  invalidField,
  joinByLines,
  requireArray,
  requireObject,
  requireString,
  toCacheMark,
  toContent,
  toRecord,
} from "../fields.ts";

const USER_BLOCKS = "text, image, document, search_result or tool_result";

/** Returns the content of a user's message or of a tool result. */
export function userContent(parts: readonly Fields[]): string | Fields[] {
  return toContent(parts, joinByLines);
}

/** Returns the content of a tool result. The first line says if the tool failed, since chats have no field for that. */
export function toToolResult(block: Fields, param: string, ignored: IgnoredPaths): string | Fields[] {
  const content = readToolResult(block.content, `${param}.content`, ignored);
  return block.is_error === true ? withError(content) : content;
}

function readToolResult(content: unknown, param: string, ignored: IgnoredPaths): string | Fields[] {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  const parts = requireArray(content, param).flatMap((part, at) =>
    toUserPart(requireObject(part, `${param}[${at}]`), `${param}[${at}]`, ignored),
  );
  return userContent(parts);
}

function withError(content: string | Fields[]): string | Fields[] {
  if (typeof content !== "string") return [{ type: "text", text: "Error:" }, ...content];
  if (content.trim() === "") return "Error";
  return /^\W*error\b/i.test(content) ? content : `Error: ${content}`;
}

/** Returns the parts of a chat for a block of a user's message or of a tool result. Throws `invalid_request`. */
export function toUserPart(block: Fields, param: string, ignored: IgnoredPaths): Fields[] {
  switch (block.type) {
    case "text":
      ignored.addOthers(block, ["type", "text", "cache_control"], "messages");
      return [{ type: "text", text: requireString(block.text, `${param}.text`), ...toMark(block, ignored) }];
    case "image": {
      ignored.addOthers(block, ["type", "source", "cache_control"], "messages");
      const url = toAddress(block.source, `${param}.source`, ignored);
      return [{ type: "image_url", image_url: { url }, ...toMark(block, ignored) }];
    }
    case "document":
      return toDocument(block, param, ignored);
    case "search_result":
      return [toSearchResult(block, param, ignored)];
    case "tool_reference": // a tool that the caller found; all tools are in the request
      return [
        { type: "text", text: `The tool ${requireString(block.tool_name, `${param}.tool_name`)} can be called.` },
      ];
    case "container_upload":
      ignored.add("messages.container_upload");
      return [];
    default:
      throw invalidField(`${param}.type`, USER_BLOCKS);
  }
}

function toDocument(block: Fields, param: string, ignored: IgnoredPaths): Fields[] {
  const source = requireObject(block.source, `${param}.source`);
  const isFile = source.type === "base64" || source.type === "url";
  const citations = toRecord(block.citations).enabled === true ? [] : ["citations"];
  const known = ["type", "source", ...citations, ...(isFile ? ["title", "cache_control"] : [])];
  ignored.addOthers(block, known, "messages");
  if (isFile) {
    const name = typeof block.title === "string" ? { filename: block.title } : {};
    const file = { ...name, file_data: toAddress(source, `${param}.source`, ignored) };
    return [{ type: "file", file, ...toMark(block, ignored) }];
  }
  ignored.addOthers(
    source,
    source.type === "text" ? ["type", "media_type", "data"] : ["type", "content"],
    "messages.source",
  );
  if (source.type === "text") return [{ type: "text", text: requireString(source.data, `${param}.source.data`) }];
  if (source.type !== "content") throw invalidField(`${param}.source.type`, "base64, url, text or content");
  if (typeof source.content === "string") return [{ type: "text", text: source.content }];
  return requireArray(source.content, `${param}.source.content`).flatMap((part, at) =>
    toUserPart(requireObject(part, `${param}.source.content[${at}]`), `${param}.source.content[${at}]`, ignored),
  );
}

function toMark(block: Fields, ignored: IgnoredPaths): Fields {
  return toCacheMark(block, "messages", ignored);
}

/** Returns the part for a result of the caller's own search: its title, source and texts. */
function toSearchResult(block: Fields, param: string, ignored: IgnoredPaths): Fields {
  const citations = toRecord(block.citations).enabled === true ? [] : ["citations"];
  ignored.addOthers(block, ["type", "title", "source", "content", ...citations], "messages");
  const texts = requireArray(block.content, `${param}.content`).map((raw, at) => {
    const part = requireObject(raw, `${param}.content[${at}]`);
    ignored.addOthers(part, ["type", "text"], "messages");
    return requireString(part.text, `${param}.content[${at}].text`);
  });
  const head = [block.title, block.source].filter((text) => typeof text === "string" && text !== "");
  return { type: "text", text: [...head, ...texts].join("\n") };
}

function toAddress(raw: unknown, param: string, ignored: IgnoredPaths): string {
  const source = requireObject(raw, param);
  ignored.addOthers(
    source,
    source.type === "url" ? ["type", "url"] : ["type", "media_type", "data"],
    "messages.source",
  );
  if (source.type === "url") return requireString(source.url, `${param}.url`);
  if (source.type !== "base64") throw invalidField(`${param}.type`, "base64 or url");
  return `data:${requireString(source.media_type, `${param}.media_type`)};base64,${requireString(source.data, `${param}.data`)}`;
}
