import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { getLlama, type Llama, LlamaLogLevel, SpecialToken } from "node-llama-cpp";
import { z } from "zod";
import type { ChatTurn } from "../src/model/engine-model.ts";
import { parseExactJson } from "../src/model/exact-numbers.ts";
import { historyOptionsOf, toChatHistory, toModelFunctions } from "../src/model/llama/chat-history.ts";
import { type ChatSupport, createChatSupport } from "../src/model/llama/chat-wrapper.ts";
import { createRenderer, RENDER_LIMIT } from "../src/model/llama/template-renderer.ts";
import { writeSpeakingModel } from "../src/testing/toy-models.ts";

// Prints what the engine makes of each template of a folder with each conversation, as e2e/models/templates/render_prompts.py
// does with Jinja2: the template alone (`rendered`), and the prompt of a model that has the template (`prompts`).

const messageSchema = z.looseObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string(),
  tool_call_id: z.string().optional(),
  tool_calls: z
    .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.unknown() }) }))
    .optional(),
});
const toolSchema = z.object({
  function: z.object({ name: z.string(), description: z.string(), parameters: z.unknown() }),
});
const conversationSchema = z.object({
  messages: z.array(z.looseObject({})),
  tools: z.array(z.looseObject({})).optional(),
});

type Outcome = { text: string } | { error: string };
type Conversation = z.output<typeof conversationSchema>;

function attempt(render: () => string): Outcome {
  try {
    return { text: render() };
  } catch (error) {
    return { error: String(error) };
  }
}

function renderAlone(template: string, { messages, tools = undefined }: Conversation): string {
  const variables = { add_generation_prompt: true, bos_token: "<s>", eos_token: "</s>", documents: null };
  return createRenderer(template, RENDER_LIMIT)().render({ ...variables, messages, tools: tools ?? null });
}

function toTurn(message: unknown): ChatTurn {
  const { role, content: text, tool_call_id: callId = "", tool_calls: calls = [] } = messageSchema.parse(message);
  if (role === "tool") return { role, callId, text };
  if (role !== "assistant") return { role, text };
  return { role, reasoning: "", text, toolCalls: calls.map(({ id, function: call }) => ({ id, ...call })) };
}

function renderPrompt({ wrapperFor, supportsTools }: ChatSupport, conversation: Conversation): string {
  const tools = (conversation.tools ?? []).map((tool) => toolSchema.parse(tool).function);
  if (tools.length > 0 && !supportsTools) throw new Error("The model lacks tools.");
  const wrapper = wrapperFor({}, tools.length > 0);
  const { contextText } = wrapper.generateContextState({
    chatHistory: toChatHistory(conversation.messages.map(toTurn), historyOptionsOf(wrapper)),
    ...(tools.length > 0 && { availableFunctions: toModelFunctions(tools), documentFunctionParams: true }),
  });
  const names = new Map([
    ["BOS", "<s>"],
    ["EOS", "</s>"],
  ]);
  return contextText
    .mapValues((value) => (value instanceof SpecialToken ? (names.get(value.value) ?? value.value) : value))
    .toString();
}

async function renderTemplate(llama: Llama, path: string, conversations: readonly Conversation[], modelPath: string) {
  const template = readFileSync(path, "utf8");
  writeSpeakingModel(modelPath, { template, start: "\n", pieces: ["Yes", "."] });
  const model = await llama.loadModel({ modelPath });
  const support = createChatSupport(model, { limit: RENDER_LIMIT, log: () => {} });
  const result = {
    wrapper: support.wrapperFor({}, false).wrapperName,
    supportsTools: support.supportsTools,
    rendered: conversations.map((each) => attempt(() => renderAlone(template, each))),
    prompts: conversations.map((each) => attempt(() => renderPrompt(support, each))),
  };
  await model.dispose();
  return result;
}

const [folder = "", conversationsPath = ""] = parseArgs({ allowPositionals: true }).positionals;
const conversations = z.array(conversationSchema).parse(parseExactJson(readFileSync(conversationsPath, "utf8")));
const temporary = mkdtempSync(join(tmpdir(), "templates-"));
const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.disabled });
const results: Record<string, Awaited<ReturnType<typeof renderTemplate>>> = {};
for (const name of readdirSync(folder)
  .filter((each) => each.endsWith(".jinja"))
  .sort()) {
  results[name] = await renderTemplate(
    llama,
    join(folder, name),
    conversations,
    join(temporary, `${basename(name)}.gguf`),
  );
}
await llama.dispose();
rmSync(temporary, { recursive: true });
process.stdout.write(JSON.stringify(results));
