import { CallSnippets } from "./call-snippets.tsx";
import type { ModelCall } from "./model-call.ts";
import { createOtherCallSamples } from "./other-call-samples.ts";

type Props = { model: string; call: Exclude<ModelCall, "chat"> };

/** Code samples that call a model which does not chat. */
export function OtherCallSnippets({ model, call }: Props) {
  return <CallSnippets model={model} createSamples={(...options) => createOtherCallSamples(call, ...options)} />;
}
