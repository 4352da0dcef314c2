import { type ChatWrapper, type LlamaModel, resolveChatWrapper } from "node-llama-cpp";

/**
 * What renders conversations for a model. node-llama-cpp prefers a wrapper of its own where one gives the same text
 * as the model's template; that wrapper may not know that the template marks thinking, so then the template is used.
 */
export function chatWrapperOf(model: LlamaModel): ChatWrapper {
  const preferred = resolveChatWrapper(model, { warningLogs: false });
  if (!chatTemplateOf(model) || preferred.settings.segments?.thought) return preferred;
  try {
    const own = resolveChatWrapper(model, { type: "jinjaTemplate", warningLogs: false });
    return own.settings.segments?.thought ? own : preferred;
  } catch {
    // A template that can't be rendered: the preferred wrapper does without it.
    return preferred;
  }
}

/** Whether the model's template has a place for tools. */
export function templateHasTools(model: LlamaModel): boolean {
  return /\btools\b/.test(chatTemplateOf(model) ?? "");
}

function chatTemplateOf(model: LlamaModel): string | undefined {
  return model.fileInfo.metadata.tokenizer.chat_template;
}
