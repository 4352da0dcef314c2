import { contentOf, type Fields, given, listOf, recordOf, type Translated, textOf, wrong } from "../fields.ts";

/** Fields that chat completions have under the same name. */
const SAME = ["max_tokens", "temperature", "top_p", "top_k", "stream"];
/** Fields that are translated, or that mean nothing to open models. */
const KNOWN = new Set([
  ...SAME,
  "cache_control",
  "context_management",
  "messages",
  "metadata",
  "model",
  "output_config",
  "service_tier",
  "stop_sequences",
  "system",
  "thinking",
  "tool_choice",
  "tools",
]);

/** Translates a Messages request to a chat completion request. Throws `invalid_request`. */
export function chatOfMessages(request: Fields & { model: string }): Translated {
  const ignored: string[] = [];
  const others = Object.fromEntries(Object.entries(request).filter(([name]) => !KNOWN.has(name)));
  const tools = toolsOf(request.tools, ignored);
  const body = {
    ...others,
    ...given(Object.fromEntries(SAME.map((name) => [name, request[name]]))),
    ...given({
      stop: request.stop_sequences,
      user: userOf(request.metadata),
      response_format: formatOf(request.output_config),
      chat_template_kwargs: thinkingOf(request.thinking),
      tools: tools.length > 0 ? tools : undefined,
      ...(tools.length > 0 && toolChoiceOf(request.tool_choice)),
    }),
    model: request.model,
    messages: chatOf(request.system, request.messages),
  };
  return { body, ignored };
}

type Turn = { role: unknown; content: string | readonly Block[] };

/**
 * Builds the messages with a single system message at the start, because chat templates accept no other. Later system
 * messages are merged into the preceding user turn, or into the next one after an assistant turn.
 */
function chatOf(system: unknown, messages: unknown): Fields[] {
  const texts = systemTexts(system);
  const turns: Turn[] = [];
  let waiting: Block[] = [];
  for (const turn of listOf(messages, "messages").map(turnOf)) {
    const last = turns.at(-1);
    if (turn.role === "system" || turn.role === "developer") {
      const said = blocksOf(turn).map(({ block, param }) => textOf(block.text, `${param}.text`));
      if (!last) texts.push(...said);
      else if (last.role === "user")
        last.content = [...blocksOf(last), ...said.map((text) => textBlock(`\n\n${text}`))];
      else waiting.push(...said.map((text) => textBlock(`${text}\n\n`)));
    } else if (turn.role === "user") {
      turns.push(waiting.length > 0 ? { ...turn, content: [...waiting, ...blocksOf(turn)] } : turn);
      waiting = [];
    } else {
      if (waiting.length > 0) turns.push({ role: "user", content: waiting });
      turns.push(turn);
      waiting = [];
    }
  }
  if (waiting.length > 0) turns.push({ role: "user", content: waiting });
  const leading = texts.length > 0 ? [{ role: "system", content: texts.join("\n\n") }] : [];
  return [...leading, ...turns.flatMap(messagesOf)];
}

function systemTexts(system: unknown): string[] {
  if (system === undefined || system === null || system === "") return [];
  if (typeof system === "string") return [system];
  return listOf(system, "system").map((block, at) =>
    textOf(recordOf(block, `system[${at}]`).text, `system[${at}].text`),
  );
}

function turnOf(raw: unknown, at: number): Turn {
  const param = `messages[${at}]`;
  const { role, content } = recordOf(raw, param);
  if (typeof content === "string") return { role, content };
  const blocks = listOf(content, `${param}.content`).map((block, index) => ({
    block: recordOf(block, `${param}.content[${index}]`),
    param: `${param}.content[${index}]`,
  }));
  return { role, content: blocks };
}

function blocksOf({ content }: Turn): readonly Block[] {
  return typeof content === "string" ? [textBlock(content)] : content;
}

function textBlock(text: string): Block {
  return { block: { type: "text", text }, param: "messages" };
}

function messagesOf({ role, content }: Turn): Fields[] {
  if (typeof content === "string") return [{ role, content }];
  return role === "assistant" ? [assistantOf(content)] : userTurn(content);
}

type Block = { block: Fields; param: string };

function assistantOf(blocks: readonly Block[]): Fields {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: Fields[] = [];
  for (const { block, param } of blocks)
    switch (block.type) {
      case "text":
        texts.push(textOf(block.text, `${param}.text`));
        break;
      case "thinking":
        thoughts.push(textOf(block.thinking, `${param}.thinking`));
        break;
      case "tool_use": {
        const name = textOf(block.name, `${param}.name`);
        const called = { name, arguments: JSON.stringify(block.input ?? {}) };
        calls.push({ id: textOf(block.id, `${param}.id`), type: "function", function: called });
        break;
      }
      case "redacted_thinking":
        break;
      default:
        throw wrong(`${param}.type`, "text, thinking or tool_use");
    }
  return {
    role: "assistant",
    content: texts.length > 0 ? texts.join("") : null,
    ...given({
      reasoning_content: thoughts.length > 0 ? thoughts.join("\n") : undefined,
      tool_calls: calls.length > 0 ? calls : undefined,
    }),
  };
}

/** Tool results become messages of their own, before the user's text. */
function userTurn(blocks: readonly Block[]): Fields[] {
  const results: Fields[] = [];
  const parts: Fields[] = [];
  for (const { block, param } of blocks)
    if (block.type === "tool_result")
      results.push({
        role: "tool",
        tool_call_id: textOf(block.tool_use_id, `${param}.tool_use_id`),
        content: resultOf(block, param),
      });
    else parts.push(partOf(block, param));
  return parts.length > 0 ? [...results, { role: "user", content: contentOf(parts) }] : results;
}

function resultOf({ content, is_error }: Fields, param: string): string | Fields[] {
  if (content === undefined || content === null) return is_error ? "Error" : "";
  if (typeof content === "string") return content;
  return contentOf(
    listOf(content, `${param}.content`).map((part, at) =>
      partOf(recordOf(part, `${param}.content[${at}]`), `${param}.content[${at}]`),
    ),
  );
}

function partOf(block: Fields, param: string): Fields {
  if (block.type === "text") return { type: "text", text: textOf(block.text, `${param}.text`) };
  if (block.type === "image")
    return { type: "image_url", image_url: { url: imageOf(block.source, `${param}.source`) } };
  const source = block.type === "document" ? recordOf(block.source, `${param}.source`) : null;
  if (source?.type === "text") return { type: "text", text: textOf(source.data, `${param}.source.data`) };
  throw wrong(`${param}.type`, "text, image, tool_result or a document of plain text");
}

function imageOf(raw: unknown, param: string): string {
  const source = recordOf(raw, param);
  if (source.type === "url") return textOf(source.url, `${param}.url`);
  if (source.type !== "base64") throw wrong(`${param}.type`, "base64 or url");
  return `data:${textOf(source.media_type, `${param}.media_type`)};base64,${textOf(source.data, `${param}.data`)}`;
}

/** Drops tools that Anthropic runs itself and names them in `ignored`. */
function toolsOf(tools: unknown, ignored: string[]): Fields[] {
  if (tools === undefined || tools === null) return [];
  return listOf(tools, "tools").flatMap((raw, at) => {
    const { type, name, description, input_schema } = recordOf(raw, `tools[${at}]`);
    if (type !== undefined && type !== null && type !== "custom") {
      ignored.push(`tools.${String(type)}`);
      return [];
    }
    const about = given({ name: textOf(name, `tools[${at}].name`), description, parameters: input_schema });
    return [{ type: "function", function: about }];
  });
}

function toolChoiceOf(choice: unknown): Fields {
  if (choice === undefined || choice === null) return {};
  const { type, name, disable_parallel_tool_use } = recordOf(choice, "tool_choice");
  const parallel = disable_parallel_tool_use === true ? { parallel_tool_calls: false } : {};
  switch (type) {
    case "auto":
    case "none":
      return { ...parallel, tool_choice: type };
    case "any":
      return { ...parallel, tool_choice: "required" };
    case "tool":
      return { ...parallel, tool_choice: { type: "function", function: { name: textOf(name, "tool_choice.name") } } };
    default:
      throw wrong("tool_choice.type", "auto, any, tool or none");
  }
}

function thinkingOf(thinking: unknown): Fields | undefined {
  const type = (thinking as Fields | undefined)?.type;
  return type === undefined ? undefined : { enable_thinking: type !== "disabled" };
}

function formatOf(config: unknown): Fields | undefined {
  const format = (config as Fields | undefined)?.format as Fields | undefined;
  if (format?.type !== "json_schema") return undefined;
  return { type: "json_schema", json_schema: { name: "answer", schema: format.schema, strict: true } };
}

function userOf(metadata: unknown): string | undefined {
  const id = (metadata as Fields | undefined)?.user_id;
  return typeof id === "string" && id.length <= 256 ? id : undefined;
}
