import { type ChatWrapper, type LlamaModel, resolveChatWrapper } from "node-llama-cpp";

/**
 * Returns the wrapper that renders conversations for a model. node-llama-cpp prefers a wrapper of its own that renders
 * the same text as the model's template; if only the template marks reasoning, the template is used.
 */
export function selectChatWrapper(model: LlamaModel): ChatWrapper {
  const preferred = resolveChatWrapper(model, { warningLogs: false });
  if (!chatTemplateOf(model) || preferred.settings.segments?.thought) return preferred;
  try {
    const templateWrapper = resolveChatWrapper(model, { type: "jinjaTemplate", warningLogs: false });
    return templateWrapper.settings.segments?.thought ? templateWrapper : preferred;
  } catch {
    // A template that can't be rendered: the preferred wrapper does without it.
    return preferred;
  }
}

/** Whether the model's template supports tools. */
export function templateHasTools(model: LlamaModel): boolean {
  return /\btools\b/.test(chatTemplateOf(model) ?? "");
}

function chatTemplateOf(model: LlamaModel): string | undefined {
  return model.fileInfo.metadata.tokenizer.chat_template;
}
