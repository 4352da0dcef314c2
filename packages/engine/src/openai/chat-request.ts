import { z } from "zod";
import type { ChatTurn, Conversation, Tool, ToolChoice } from "../model/engine-model.ts";
import { parseExactJson } from "../model/exact-numbers.ts";
import { invalidRequest, unsupportedModality, unsupportedParameter } from "./errors.ts";
import { generationFields } from "./generation-fields.ts";
import type { RequestSchemas } from "./request-schemas.ts";
import { toTemplateValues } from "./template-values.ts";

const contentPartSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const content = z.union([z.string(), z.array(contentPartSchema)]);

const toolCallSchema = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["system", "developer"]), content }),
  z.object({ role: z.literal("user"), content }),
  z.object({
    role: z.literal("assistant"),
    content: content.nullish(),
    reasoning_content: z.string().nullish(),
    tool_calls: z.array(toolCallSchema).nullish(),
  }),
  z.object({ role: z.literal("tool"), content, tool_call_id: z.string() }),
]);

const toolSchema = z.object({
  type: z.literal("function"),
  function: z.object({
    name: z.string().regex(/^\S{1,128}$/, "expected 1 to 128 characters without spaces"),
    description: z.string().nullish(),
    parameters: z.unknown().optional(),
    strict: z.boolean().nullish(),
  }),
});

const responseFormatSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text") }),
  z.object({ type: z.literal("json_object") }),
  z.object({
    type: z.literal("json_schema"),
    json_schema: z.object({ schema: z.unknown().optional(), strict: z.boolean().nullish() }),
  }),
]);

/** The body of `POST /v1/chat/completions`. */
export const chatRequestSchema = z.object({
  ...generationFields,
  messages: z.array(message).min(1),
  max_completion_tokens: z.int().min(1).nullish(),
  response_format: responseFormatSchema.nullish(),
  tools: z.array(toolSchema).nullish(),
  tool_choice: z
    .union([
      z.enum(["none", "auto", "required"]),
      z.object({ type: z.literal("function"), function: z.object({ name: z.string() }) }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning_effort: z.string().max(64).nullish(),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
});

/** A validated body of `POST /v1/chat/completions`. */
export type ChatRequest = z.output<typeof chatRequestSchema>;
type Message = ChatRequest["messages"][number];

/**
 * Maps a request and its schemas to a conversation. Throws for parts that are not text, and for tools the template does
 * not support.
 */
export function toConversation(
  request: ChatRequest,
  supportsTools: boolean,
  { output, toolGrammars }: RequestSchemas,
): Conversation {
  const tools = request.tool_choice === "none" ? [] : toTools(request, toolGrammars);
  if (tools.length > 0 && !supportsTools) {
    throw unsupportedParameter(
      "tools",
      "This model's chat template has no tools. Leave out tools or choose another model.",
    );
  }
  if (tools.length > 0 && request.response_format && request.response_format.type !== "text") {
    throw unsupportedParameter("response_format", "A response format can't be combined with tools.");
  }
  return {
    turns: request.messages.map(toTurn),
    tools,
    toolChoice: toToolChoice(request.tool_choice, tools),
    parallelToolCalls: request.parallel_tool_calls ?? true,
    skipsThought: output.type !== "text",
    templateValues: toTemplateValues(request),
  };
}

function toToolChoice(choice: ChatRequest["tool_choice"], tools: readonly Tool[]): ToolChoice {
  if (!choice || choice === "auto" || choice === "none") return "auto";
  const name = choice === "required" ? undefined : choice.function.name;
  const isPossible = name === undefined ? tools.length > 0 : tools.some((tool) => tool.name === name);
  if (!isPossible) {
    const missing = name === undefined ? "a tool, but tools has none" : `${JSON.stringify(name)}, which tools has not`;
    throw invalidRequest(`tool_choice requires ${missing}.`, "tool_choice");
  }
  return name === undefined ? "required" : { name };
}

function toTools(request: ChatRequest, grammars: RequestSchemas["toolGrammars"]): Tool[] {
  return (request.tools ?? []).map(({ function: { name, description, parameters } }, index) => ({
    name,
    description: description ?? undefined,
    parameters,
    grammar: grammars[index],
  }));
}

function toTurn(message: Message, index: number): ChatTurn {
  const param = `messages[${index}]`;
  const text = message.content ? toText(message.content, `${param}.content`) : "";
  if (message.role === "tool") return { role: "tool", callId: message.tool_call_id, text };
  if (message.role === "user") return { role: "user", text };
  if (message.role !== "assistant") return { role: "system", text };
  const toolCalls = (message.tool_calls ?? []).map(({ id, function: call }) => ({
    id,
    name: call.name,
    arguments: parseArguments(call.arguments, `${param}.tool_calls`),
  }));
  return { role: "assistant", reasoning: message.reasoning_content ?? "", text, toolCalls };
}

function toText(parts: z.output<typeof content>, param: string): string {
  if (typeof parts === "string") return parts;
  return parts.map((part, index) => toPartText(part, `${param}[${index}]`)).join("\n");
}

function toPartText(part: z.output<typeof contentPartSchema>, param: string): string {
  if (part.type !== "text") throw unsupportedModality(param, `parts of type ${JSON.stringify(part.type)}`);
  if (part.text === undefined) throw invalidRequest(`${param}.text is missing.`, `${param}.text`);
  return part.text;
}

function parseArguments(json: string, param: string): unknown {
  try {
    return parseExactJson(json === "" ? "{}" : json);
  } catch {
    throw invalidRequest(`${param} has arguments that are not JSON.`, param);
  }
}
