import { expect, test } from "vitest";
import { classifyTags, toCatalogueTags } from "./classified-tags.ts";

test("tags of the hub become those of the catalogue, each once, and others are left out", () => {
  expect(toCatalogueTags(["Conversational", "chat", "image-text-to-text", "gguf", "constructor"])).toEqual([
    "chat",
    "vision",
  ]);
});

test("tags are put into their categories, and unknown ones into none", () => {
  expect(classifyTags(["math", "chat", "toString", "vision"])).toEqual({
    modalities: ["vision"],
    capabilities: [],
    training: ["chat"],
    domains: ["math"],
    creative: [],
  });
});
