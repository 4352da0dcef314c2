import {
  type ChatModelFunctions,
  type ChatWrapper,
  type ChatWrapperGenerateContextStateOptions,
  type ChatWrapperGeneratedContextState,
  LlamaText,
} from "node-llama-cpp";

/**
 * Returns a wrapper with which the model's turn begins with a tool call; a thought that the template opens is closed
 * before. The prompt describes all `functions`, also when only one of them may be called.
 */
export function requireToolCall(wrapper: ChatWrapper, functions: ChatModelFunctions): ChatWrapper {
  const answering = closeOpenThought(wrapper);
  return withContextState(answering, (options) => {
    const state = answering.generateContextState({ ...options, availableFunctions: functions });
    const { contextText, stopGenerationTriggers, prefixTriggers, rerender } = state;
    const trigger = prefixTriggers?.find(({ type }) => type === "functionCall");
    return {
      contextText,
      stopGenerationTriggers,
      noPrefixTrigger: { type: "functionCall", inject: trigger?.inject ?? LlamaText([]) },
      ...(rerender && { rerender }),
    };
  });
}

/** Returns a wrapper with which a thought that the template opens is closed before the model's turn begins. */
export function closeOpenThought(wrapper: ChatWrapper): ChatWrapper {
  const end = wrapper.settings.segments?.thought?.suffix;
  return withContextState(wrapper, (options) => {
    const state = wrapper.generateContextState(options);
    if (state.noPrefixTrigger?.type !== "segment" || end === undefined) return state;
    const { contextText, stopGenerationTriggers } = state;
    return { contextText: LlamaText([contextText, end, "\n"]), stopGenerationTriggers };
  });
}

type GenerateContextState = (options: ChatWrapperGenerateContextStateOptions) => ChatWrapperGeneratedContextState;

function withContextState(wrapper: ChatWrapper, generateContextState: GenerateContextState): ChatWrapper {
  return Object.create(wrapper, { generateContextState: { value: generateContextState } });
}
