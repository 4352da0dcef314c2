import { AppError } from "../../../shared/errors.ts";
import { contentOf, type Fields, given, listOf, recordOf, type Translated, textOf, wrong } from "../fields.ts";

/** Fields that chat completions have under the same name. */
const SAME = ["temperature", "top_p", "stream", "parallel_tool_calls", "user", "top_logprobs"];
/** Fields that are translated. */
const OWN = [
  "input",
  "instructions",
  "max_output_tokens",
  "metadata",
  "model",
  "reasoning",
  "text",
  "tool_choice",
  "tools",
];
/** Fields without effect when no state is stored. */
const WITHOUT_EFFECT = [
  "background",
  "conversation",
  "include",
  "previous_response_id",
  "prompt",
  "store",
  "truncation",
];
const KNOWN = new Set([...SAME, ...OWN, ...WITHOUT_EFFECT]);

/**
 * Translates a Responses request to a chat completion request. No state is stored, so each request must contain the
 * whole conversation. Throws `unsupported_parameter` and `invalid_request`.
 */
export function chatOfResponses(request: Fields & { model: string }): Translated {
  refuseState(request);
  const ignored: string[] = [];
  const others = Object.fromEntries(Object.entries(request).filter(([name]) => !KNOWN.has(name)));
  const tools = toolsOf(request.tools, ignored);
  const body = {
    ...others,
    ...given(Object.fromEntries(SAME.map((name) => [name, request[name]]))),
    ...given({
      max_tokens: request.max_output_tokens,
      reasoning_effort: (request.reasoning as Fields | undefined)?.effort,
      response_format: formatOf(request.text),
      tools: tools.length > 0 ? tools : undefined,
      tool_choice: tools.length > 0 ? toolChoiceOf(request.tool_choice, ignored) : undefined,
      logprobs: request.top_logprobs ? true : undefined,
    }),
    model: request.model,
    messages: [...instructionsOf(request.instructions), ...messagesOf(request.input)],
  };
  return { body, ignored };
}

function refuseState(request: Fields): void {
  const wanted = ["previous_response_id", "conversation", "prompt"].find((name) => request[name] != null);
  const param = wanted ?? (request.store === true ? "store" : request.background === true ? "background" : null);
  if (param === null) return;
  throw new AppError(
    400,
    "unsupported_parameter",
    `${param} needs answers that are kept, and none are kept here. Send the whole conversation in input, with store: false.`,
    { param },
  );
}

function instructionsOf(instructions: unknown): Fields[] {
  return typeof instructions === "string" && instructions !== "" ? [{ role: "system", content: instructions }] : [];
}

function messagesOf(input: unknown): Fields[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  const messages: Fields[] = [];
  let reasoning: string | undefined;
  const assistant = (): Fields => {
    const last = messages.at(-1);
    if (last?.role === "assistant") return last;
    const made: Fields = { role: "assistant", content: null, ...given({ reasoning_content: reasoning }) };
    reasoning = undefined;
    messages.push(made);
    return made;
  };
  for (const [at, raw] of listOf(input, "input").entries()) {
    const param = `input[${at}]`;
    const item = recordOf(raw, param);
    switch (item.type ?? "message") {
      case "message":
        messages.push({
          ...messageOf(item, param),
          ...(item.role === "assistant" && given({ reasoning_content: reasoning })),
        });
        if (item.role === "assistant") reasoning = undefined;
        break;
      case "function_call": {
        const turn = assistant();
        turn.tool_calls = [...((turn.tool_calls as Fields[] | undefined) ?? []), callOf(item, param)];
        break;
      }
      case "function_call_output":
        messages.push({
          role: "tool",
          tool_call_id: textOf(item.call_id, `${param}.call_id`),
          content: outputOf(item.output, `${param}.output`),
        });
        break;
      case "reasoning":
        reasoning = reasoningOf(item);
        break;
      default:
        throw wrong(`${param}.type`, "message, function_call, function_call_output or reasoning");
    }
  }
  return messages;
}

function messageOf(item: Fields, param: string): Fields {
  const role = textOf(item.role, `${param}.role`);
  if (!["user", "assistant", "system", "developer"].includes(role))
    throw wrong(`${param}.role`, "user, assistant, system or developer");
  if (typeof item.content === "string") return { role, content: item.content };
  const parts = listOf(item.content, `${param}.content`).map((part, at) => partOf(part, `${param}.content[${at}]`));
  return { role, content: contentOf(parts) };
}

function partOf(raw: unknown, param: string): Fields {
  const part = recordOf(raw, param);
  switch (part.type) {
    case "input_text":
    case "output_text":
    case "text":
      return { type: "text", text: textOf(part.text, `${param}.text`) };
    case "refusal":
      return { type: "text", text: textOf(part.refusal, `${param}.refusal`) };
    case "input_image":
      return {
        type: "image_url",
        image_url: given({ url: textOf(part.image_url, `${param}.image_url`), detail: part.detail }),
      };
    default:
      throw wrong(`${param}.type`, "input_text, output_text, refusal or input_image");
  }
}

function callOf(item: Fields, param: string): Fields {
  const name = textOf(item.name, `${param}.name`);
  const text = textOf(item.arguments, `${param}.arguments`);
  return { id: textOf(item.call_id, `${param}.call_id`), type: "function", function: { name, arguments: text } };
}

function outputOf(output: unknown, param: string): string | Fields[] {
  if (typeof output === "string") return output;
  return contentOf(listOf(output, param).map((part, at) => partOf(part, `${param}[${at}]`)));
}

function reasoningOf(item: Fields): string | undefined {
  const parts = [item.content, item.summary].find((list) => Array.isArray(list) && list.length > 0);
  if (!Array.isArray(parts)) return undefined;
  return parts.map((part: Fields) => (typeof part?.text === "string" ? part.text : "")).join("\n");
}

/** Drops tools that OpenAI runs itself and names them in `ignored`. */
function toolsOf(tools: unknown, ignored: string[]): Fields[] {
  if (tools === undefined || tools === null) return [];
  return listOf(tools, "tools").flatMap((raw, at) => {
    const { type, name, description, parameters, strict } = recordOf(raw, `tools[${at}]`);
    if (type !== "function") {
      ignored.push(`tools.${String(type)}`);
      return [];
    }
    const about = given({ name: textOf(name, `tools[${at}].name`), description, parameters, strict });
    return [{ type: "function", function: about }];
  });
}

function toolChoiceOf(choice: unknown, ignored: string[]): unknown {
  if (choice === undefined || choice === null || typeof choice === "string") return choice;
  const { type, name, mode } = recordOf(choice, "tool_choice");
  if (type === "function") return { type, function: { name: textOf(name, "tool_choice.name") } };
  if (type === "allowed_tools") return mode;
  ignored.push("tool_choice");
  return undefined;
}

function formatOf(text: unknown): unknown {
  const format = (text as Fields | undefined)?.format as Fields | undefined;
  if (!format || format.type === "text") return undefined;
  if (format.type === "json_object") return { type: "json_object" };
  if (format.type !== "json_schema") throw wrong("text.format.type", "text, json_object or json_schema");
  const { name = "answer", schema, strict, description } = format;
  return { type: "json_schema", json_schema: given({ name, schema, strict, description }) };
}
