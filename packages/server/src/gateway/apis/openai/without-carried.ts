import { type Fields, joinByLines, toContent, toRecord } from "../../formats/fields.ts";
import type { CallBody } from "../../formats/parsed-request.ts";

/** Returns a body without what only other APIs have a place for. Parts that are all text become one text. */
export function withoutCarried(body: CallBody): CallBody {
  const { messages, tools } = body;
  return {
    ...body,
    ...(Array.isArray(messages) && { messages: messages.map((message) => plainMessage(toRecord(message))) }),
    ...(Array.isArray(tools) && { tools: tools.map((tool) => withoutMark(toRecord(tool))) }),
  };
}

function plainMessage(message: Fields): Fields {
  const { reasoning_details: _details, cache_control: _mark, ...others } = message;
  const { content, role } = others;
  if (!Array.isArray(content)) return others;
  const join = role === "system" ? (texts: readonly string[]) => texts.join("\n\n") : joinByLines;
  return {
    ...others,
    content: toContent(
      content.map((part) => withoutMark(toRecord(part))),
      join,
    ),
  };
}

function withoutMark({ cache_control: _, ...others }: Fields): Fields {
  return others;
}
