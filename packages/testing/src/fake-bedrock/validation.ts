type Fields = Record<string, unknown>;

const IMAGE_FORMATS = ["gif", "jpeg", "png", "webp"];
const TOOL_USE_ID = /^[\w-]{1,64}$/;
const DOCUMENT_NAME = /^[A-Za-z0-9 ()[\]-]{1,200}$/;

/** Returns what Bedrock says of the body of a call that it refuses; null if it takes it. */
export function findProblem(model: string, { messages, system, toolConfig, ...others }: Fields): string | null {
  if (!Array.isArray(messages) || messages.length === 0) return "A conversation must have messages.";
  const turns = messages as { role: string; content: Fields[] }[];
  if (turns[0]?.role !== "user") return "A conversation must start with a user message.";
  for (const [at, { role, content }] of turns.entries()) {
    if (role === turns[at - 1]?.role) return "A conversation must alternate between user and assistant roles.";
    if (content.length === 0) return `The content field in the Message object at messages.${at} is empty.`;
    const problem = content.map((block, position) => findBlockProblem(block, `messages.${at}.content.${position}`));
    const found = problem.find((text) => text !== null);
    if (found !== undefined) return found;
  }
  const blocks = [...turns.flatMap(({ content }) => content), ...((system ?? []) as Fields[])];
  return (
    findToolProblem(blocks, toolConfig as Fields | undefined) ??
    findUnansweredCall(turns) ??
    findDocumentProblem(blocks) ??
    findModelProblem(model, [...blocks, ...(((toolConfig as Fields | undefined)?.tools ?? []) as Fields[])], others)
  );
}

function findBlockProblem({ text, image, toolUse }: Fields, path: string): string | null {
  if (typeof text === "string" && text.trim() === "")
    return `The text field in the ContentBlock object at ${path} is blank. Add text to the text field, and try again.`;
  if (image !== undefined && !IMAGE_FORMATS.includes(String((image as Fields).format)))
    return "Value at 'format' failed to satisfy constraint: Member must satisfy enum value set";
  if (toolUse !== undefined && !TOOL_USE_ID.test(String((toolUse as Fields).toolUseId)))
    return "Value at 'toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern";
  return null;
}

function findToolProblem(blocks: readonly Fields[], toolConfig: Fields | undefined): string | null {
  const isAboutTools = blocks.some(({ toolUse, toolResult }) => toolUse !== undefined || toolResult !== undefined);
  if (isAboutTools && toolConfig === undefined)
    return "The toolConfig field must be defined when using toolUse and toolResult content blocks.";
  const tools = (toolConfig?.tools ?? []) as { toolSpec?: Fields }[];
  const isEmpty = tools.some(({ toolSpec }) => toolSpec?.description === "");
  return isEmpty ? "Invalid length for parameter toolConfig.tools.0.toolSpec.description" : null;
}

/** Each call of a tool needs its result in the next message. */
function findUnansweredCall(turns: readonly { content: Fields[] }[]): string | null {
  const idsOf = (content: readonly Fields[], field: string) =>
    content.flatMap((block) => (block[field] === undefined ? [] : [(block[field] as Fields).toolUseId]));
  for (const [at, { content }] of turns.entries()) {
    const results = new Set(idsOf(turns[at + 1]?.content ?? [], "toolResult"));
    if (idsOf(content, "toolUse").some((id) => !results.has(id)))
      return `Expected toolResult blocks at messages.${at + 1}.content`;
  }
  return null;
}

function findDocumentProblem(blocks: readonly Fields[]): string | null {
  const names = blocks.flatMap(({ document }) => (document === undefined ? [] : [String((document as Fields).name)]));
  if (names.some((name) => !DOCUMENT_NAME.test(name)))
    return "The document file name can only contain alphanumeric characters";
  const isRepeated = new Set(names.map((name) => name.toLowerCase())).size < names.length;
  return isRepeated ? "Messages can't contain duplicate document names." : null;
}

/** Only Anthropic's models take marks of what is cached, and only some models have fields of their own. */
function findModelProblem(
  model: string,
  blocks: readonly Fields[],
  { additionalModelRequestFields }: Fields,
): string | null {
  if (model.includes("anthropic.")) return null;
  if (blocks.some(({ cachePoint }) => cachePoint !== undefined))
    return "You invoked an unsupported model or your request did not allow prompt caching.";
  const [field] = Object.keys((additionalModelRequestFields ?? {}) as Fields);
  return field === undefined || model.includes("nova")
    ? null
    : `Malformed input request: #: extraneous key [${field}] is not permitted, please reformat your input and try again.`;
}
