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
  const generateContextState = (options: ChatWrapperGenerateContextStateOptions): ChatWrapperGeneratedContextState => {
    const state = wrapper.generateContextState({ ...options, availableFunctions: functions });
    const { contextText, stopGenerationTriggers, prefixTriggers, noPrefixTrigger, rerender } = state;
    const trigger = prefixTriggers?.find(({ type }) => type === "functionCall");
    const isWithinThought = noPrefixTrigger?.type === "segment";
    const thoughtEnd = isWithinThought ? (wrapper.settings.segments?.thought?.suffix ?? "") : "";
    return {
      contextText: LlamaText([contextText, thoughtEnd, isWithinThought ? "\n" : ""]),
      stopGenerationTriggers,
      noPrefixTrigger: { type: "functionCall", inject: trigger?.inject ?? LlamaText([]) },
      ...(rerender && { rerender }),
    };
  };
  return Object.create(wrapper, { generateContextState: { value: generateContextState } });
}
