import type { Model } from "@feather/sdk";
import { expect, test } from "vitest";
import { getDefaultModel, withoutNeedlessDemo } from "./default-model.ts";

const warm = (id: string, callable?: boolean) => ({
  id,
  ...(callable !== undefined && { available_on_current_plan: callable }),
});

test.each([
  [
    "a real one before those that come with the platform",
    [warm("feather/demo"), warm("feather/guide"), warm("a/b")],
    "a/b",
  ],
  ["the guide where nothing else runs", [warm("feather/demo"), warm("feather/guide")], "feather/guide"],
  [
    "the guide where the plan allows nothing else",
    [warm("a/large", false), warm("feather/guide", true)],
    "feather/guide",
  ],
  ["the demonstration model where the guide is not", [warm("feather/demo")], "feather/demo"],
  ["the guide where nothing is known", [], "feather/guide"],
])("the default model is %s", (_case, models, id) => {
  expect(getDefaultModel(models)).toBe(id);
});

const inState = (id: string, tier: "warm" | "loading") => ({ id, availability: { tier } as Model["availability"] });

test.each([
  ["shown where nothing else is warm", [inState("feather/demo", "warm"), inState("feather/guide", "warm")], true],
  ["shown while another one is downloaded", [inState("a/b", "loading"), inState("feather/demo", "warm")], true],
  ["left out where another one is warm", [inState("a/b", "warm"), inState("feather/demo", "warm")], false],
])("the demonstration model is %s", (_case, models, isShown) => {
  expect(withoutNeedlessDemo(models).some(({ id }) => id === "feather/demo")).toBe(isShown);
});
