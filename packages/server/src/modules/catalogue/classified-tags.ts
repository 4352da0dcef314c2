import type { components } from "@feather/openapi/schema";

type Classified = components["schemas"]["Model"]["classified_tags"];

const KINDS: Record<keyof Classified, readonly string[]> = {
  modalities: ["vision", "audio", "video", "embedding"],
  capabilities: ["tool-use", "reasoning", "multilingual", "long-context"],
  training: ["chat", "instruct", "base", "merge", "distilled", "uncensored"],
  domains: ["code", "math", "medical", "science", "finance", "legal"],
  creative: ["roleplay", "creative-writing", "storytelling"],
};

/** Returns the known tags by category; unknown tags are left out. */
export function classify(tags: readonly string[]): Classified {
  const among = (kind: keyof Classified) => tags.filter((tag) => KINDS[kind].includes(tag));
  return {
    modalities: among("modalities"),
    capabilities: among("capabilities"),
    training: among("training"),
    domains: among("domains"),
    creative: among("creative"),
  };
}

/** The catalogue's tag for each tag of the hub; all others are dropped. */
const OURS: Record<string, string> = {
  conversational: "chat",
  chat: "chat",
  instruct: "instruct",
  base: "base",
  "image-text-to-text": "vision",
  vision: "vision",
  multimodal: "vision",
  "function-calling": "tool-use",
  "tool-use": "tool-use",
  tools: "tool-use",
  agent: "tool-use",
  reasoning: "reasoning",
  thinking: "reasoning",
  code: "code",
  coding: "code",
  math: "math",
  medical: "medical",
  science: "science",
  finance: "finance",
  legal: "legal",
  roleplay: "roleplay",
  rp: "roleplay",
  "creative-writing": "creative-writing",
  storywriting: "storytelling",
  storytelling: "storytelling",
  merge: "merge",
  mergekit: "merge",
  uncensored: "uncensored",
  abliterated: "uncensored",
  moe: "moe",
  multilingual: "multilingual",
};

/** Maps the hub's tags to the catalogue's, without duplicates, sorted. */
export function tagsFromHub(tags: readonly string[]): string[] {
  return [...new Set(tags.flatMap((tag) => OURS[tag.toLowerCase()] ?? []))].sort();
}
