/**
 * The form of conversations inside the gateway, into which all formats are translated (docs/decisions/0060-translation.md):
 *
 *  - `system`     at most one message, the first. `content` is a text, or parts where some are no text
 *  - `user`       a text, or parts: `text`, `image_url`, `input_audio`, `audio_url`, `video_url`, `file`
 *  - `assistant`  a text, parts or null; `reasoning_content`; `tool_calls` whose arguments are JSON text, never blank
 *  - `tool`       the result of one call: a text, or parts as of a user. All results stand right behind their calls
 *
 * Chat templates refuse a system message anywhere else, and backends a result that is apart from its call.
 */
import { type Fields, toRecord } from "./fields.ts";

/** A conversation in the gateway's form, and the paths of fields that it has no counterpart for. */
export type ArrangedMessages = { messages: Fields[]; dropped: string[] };

/** Brings messages of the chat format into the order of the gateway's form. */
export function arrangeMessages(messages: readonly Fields[]): ArrangedMessages {
  return joinSystemMessages(moveToolResults(messages));
}

/**
 * Joins the leading system messages to one. A later one becomes part of the user message before it, or else of the one
 * after it, or else a user message of its own.
 */
function joinSystemMessages(messages: readonly Fields[]): ArrangedMessages {
  const firstOther = messages.findIndex((message) => !isSystem(message));
  const leading = firstOther < 0 ? messages : messages.slice(0, firstOther);
  const rest = messages.slice(leading.length);
  const moved = rest.filter(isSystem);
  const arranged: Fields[] = leading.length > 0 ? [joinLeading(leading)] : [];
  let pending: Fields[] = [];
  const flush = () => {
    if (pending.length > 0) arranged.push({ role: "user", content: joinContents(pending.map(contentOf)) });
    pending = [];
  };
  for (const message of rest) {
    const last = arranged.at(-1);
    if (isSystem(message)) {
      if (last?.role === "user")
        arranged[arranged.length - 1] = { ...last, content: joinContents([last.content, message.content]) };
      else pending.push(message);
    } else if (message.role === "user") {
      const before = pending.map(contentOf);
      arranged.push(before.length > 0 ? { ...message, content: joinContents([...before, message.content]) } : message);
      pending = [];
    } else {
      if (message.role === "assistant") flush();
      arranged.push(message);
    }
  }
  flush();
  const hasLostName = [...(leading.length > 1 ? leading : []), ...moved].some(({ name }) => name !== undefined);
  return { messages: arranged, dropped: hasLostName ? ["messages.name"] : [] };
}

function isSystem({ role }: Fields): boolean {
  return role === "system" || role === "developer";
}

function contentOf({ content }: Fields): unknown {
  return content;
}

function joinLeading(messages: readonly Fields[]): Fields {
  const [first] = messages;
  return messages.length === 1
    ? { ...first, role: "system" }
    : { role: "system", content: joinContents(messages.map(contentOf)) };
}

/** Joins contents, separated by an empty line. Returns a text if all are texts, otherwise parts. */
function joinContents(contents: readonly unknown[]): unknown {
  const [first, ...others] = contents.filter((content) => content !== "" && content !== null && content !== undefined);
  if (others.length === 0) return first ?? contents[0] ?? "";
  const all = [first, ...others];
  if (all.every((content) => typeof content === "string")) return all.join("\n\n");
  return all.flatMap((content) => (Array.isArray(content) ? content : [{ type: "text", text: content }]));
}

/** A message with the results of its tool calls. `message` is null if it was joined to an earlier one. */
type Turn = { message: Fields | null; results: Fields[]; position: number };

/**
 * Moves tool results directly after the message with their calls. Assistant messages with only text between them are joined
 * to that message; all others come after the results.
 */
function moveToolResults(messages: readonly Fields[]): Fields[] {
  const turns: Turn[] = [];
  const callers = new Map<unknown, Turn>();
  for (const message of messages) {
    const caller = message.role === "tool" ? callers.get(message.tool_call_id) : undefined;
    if (caller !== undefined) {
      if (caller.results.length === 0) joinFollowingTexts(caller, turns);
      caller.results.push(message);
      continue;
    }
    const turn: Turn = { message, results: [], position: turns.length };
    turns.push(turn);
    if (message.role === "assistant" && Array.isArray(message.tool_calls))
      for (const call of message.tool_calls) callers.set(toRecord(call).id, turn);
  }
  return turns.flatMap(({ message, results }) => (message === null ? [] : [message, ...results]));
}

/** Joins the assistant messages without tool calls that follow a message to that message. */
function joinFollowingTexts(caller: Turn, turns: readonly Turn[]): void {
  for (let at = caller.position + 1; at < turns.length; at++) {
    const next = turns[at];
    if (next?.message?.role !== "assistant" || next.message.tool_calls !== undefined) return;
    caller.message = joinAssistantTurns(caller.message ?? {}, next.message);
    next.message = null;
  }
}

function joinAssistantTurns(turn: Fields, next: Fields): Fields {
  const reasoning = [turn.reasoning_content, next.reasoning_content].filter((text) => typeof text === "string");
  return {
    ...next,
    ...turn,
    content: joinContents([turn.content, next.content]) || null,
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join("\n") }),
  };
}
