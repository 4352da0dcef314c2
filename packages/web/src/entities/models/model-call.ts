import type { Model } from "@feather/sdk";

/** What a model is called for. */
export type ModelCall = "chat" | "embedding" | "rerank" | "moderation" | "image" | "speech" | "transcription";

/** Parts of the names of models that do not chat. The first that matches decides: rerankers are often named after embeddings. */
const NAMES: readonly (readonly [RegExp, ModelCall])[] = [
  [/rerank/i, "rerank"],
  [/embed|\bbge-|\be5-|\bgte-/i, "embedding"],
  [/moderation/i, "moderation"],
  [/whisper|transcri|parakeet|\b(asr|stt)\b/i, "transcription"],
  [/\btts\b|kokoro|text-to-speech/i, "speech"],
  [/dall-e|\bflux\b|stable-diffusion|\bsdxl\b|imagen|(gpt|qwen)-image/i, "image"],
];

/** Returns what a model is called for: by what it generates, where that is known, and otherwise by its name. */
export function findModelCall({
  id,
  tags,
  output_modalities: output,
}: Pick<Model, "id" | "tags" | "output_modalities">): ModelCall {
  const named = NAMES.find(([pattern]) => pattern.test(id))?.[1];
  if (named !== undefined) return named;
  if (tags.includes("embedding")) return "embedding";
  if (output.includes("text") || output.length === 0) return "chat";
  return output.includes("image") ? "image" : output.includes("audio") ? "speech" : "chat";
}
