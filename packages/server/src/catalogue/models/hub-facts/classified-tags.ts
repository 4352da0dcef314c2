import type { components } from "@feather/openapi/schema";

type ClassifiedTags = components["schemas"]["Model"]["classified_tags"];

const TAGS_BY_CATEGORY: Record<keyof ClassifiedTags, readonly string[]> = {
  modalities: ["vision", "audio", "video", "embedding"],
  capabilities: ["tool-use", "reasoning", "multilingual", "long-context"],
  training: ["chat", "instruct", "base", "merge", "distilled", "uncensored"],
  domains: ["code", "math", "medical", "science", "finance", "legal"],
  creative: ["roleplay", "creative-writing", "storytelling"],
};

/** Returns the known tags by category. Unknown tags are left out. */
export function classifyTags(tags: readonly string[]): ClassifiedTags {
  const pickTags = (category: keyof ClassifiedTags) => tags.filter((tag) => TAGS_BY_CATEGORY[category].includes(tag));
  return {
    modalities: pickTags("modalities"),
    capabilities: pickTags("capabilities"),
    training: pickTags("training"),
    domains: pickTags("domains"),
    creative: pickTags("creative"),
  };
}

/** The catalogue's tag for each tag of the hub. Other tags of the hub are left out. */
const HUB_TAG_ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
);

/** Maps the hub's tags to the catalogue's, without duplicates, sorted. */
export function toCatalogueTags(tags: readonly string[]): string[] {
  return [...new Set(tags.flatMap((tag) => HUB_TAG_ALIASES.get(tag.toLowerCase()) ?? []))].sort();
}
