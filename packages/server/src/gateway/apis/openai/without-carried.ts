import { type Fields, joinByLines, toContent, toRecord } from "../../formats/fields.ts";
import type { Carried } from "../../formats/parsed-request.ts";

/** Returns a body without what only other APIs have a place for. */
export function withoutCarried<Body extends Fields>(body: Body, { hasSplitTexts = false }: Carried): Body {
  const { messages, tools } = body;
  const toPlain = (message: unknown) => {
    const plain = withoutMarks(toRecord(message));
    return hasSplitTexts ? withJoinedTexts(plain) : plain;
  };
  return {
    ...body,
    ...(Array.isArray(messages) && { messages: messages.map(toPlain) }),
    ...(Array.isArray(tools) && { tools: tools.map((tool) => withoutMark(toRecord(tool))) }),
  };
}

function withoutMarks({ reasoning_details: _details, cache_control: _mark, content, ...others }: Fields): Fields {
  if (content === undefined) return others;
  return { ...others, content: Array.isArray(content) ? content.map((part) => withoutMark(toRecord(part))) : content };
}

function withoutMark({ cache_control: _, ...others }: Fields): Fields {
  return others;
}

function withJoinedTexts(message: Fields): Fields {
  if (!Array.isArray(message.content)) return message;
  const join = message.role === "system" ? (texts: readonly string[]) => texts.join("\n\n") : joinByLines;
  return { ...message, content: toContent(message.content, join) };
}
