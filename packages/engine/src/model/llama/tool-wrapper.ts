import { type ChatWrapper, LlamaText, SpecialTokensText } from "node-llama-cpp";
import type { ToolFormat } from "../tool-calls/tool-format.ts";

/**
 * Returns a wrapper that passes tools, past calls and results to the template, and begins a required call in the form
 * of the model's family. node-llama-cpp passes them only for templates in which it recognizes the form itself.
 */
export function withToolFormat(wrapper: ChatWrapper, { callForm }: ToolFormat): ChatWrapper {
  const special = (text: string) => LlamaText(new SpecialTokensText(text));
  const functions: ChatWrapper["settings"]["functions"] = {
    call: {
      optionalPrefixSpace: true,
      prefix: special(callForm.beforeName),
      paramsPrefix: special(callForm.beforeArguments),
      suffix: special(callForm.end),
      emptyCallParamsPlaceholder: {},
    },
    // The template writes results.
    result: { prefix: "", suffix: "" },
  };
  return Object.create(wrapper, {
    settings: { value: { ...wrapper.settings, functions } },
    // Fields of node-llama-cpp's wrapper for templates, which its types don't name.
    _usingJinjaFunctionCallTemplate: { value: true },
    _stringifyFunctionParams: { value: false },
  });
}
