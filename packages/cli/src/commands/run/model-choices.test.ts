import type { Model, ModelFit } from "@feather/sdk";
import { buildModel } from "@feather/testing/builders";
import { expect, test } from "vitest";
import { type OfferedModel, toModelChoices } from "./model-choices.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const AVAILABLE = 64e9;
const fitOf = (verdict: ModelFit["verdict"], gigabytes: number): ModelFit => ({
  verdict,
  file: null,
  context: 8192,
  memory_bytes: gigabytes * 1e9,
  available_bytes: AVAILABLE,
  reason: "",
});

type Fields = {
  billions: number;
  tier?: "warm" | "cold" | "offline";
  verdict?: ModelFit["verdict"];
  tags?: Partial<Model["classified_tags"]>;
  features?: Partial<Model["features"]>;
};

function model(id: string, { billions, tier = "offline", verdict = "fits", tags, features }: Fields): OfferedModel {
  const base = buildModel();
  return {
    ...base,
    id,
    parameter_size: billions * 1e9,
    availability: { ...base.availability, tier, estimated_ready_at: null },
    classified_tags: { ...base.classified_tags, modalities: [], domains: [], ...tags },
    features: { ...base.features, reasoning: false, image_input: false, ...features },
    fit: fitOf(verdict, billions * 1.2),
  };
}
const DEMO = model("feather/demo", { billions: 0.001, tier: "warm" });
const GUIDE = model("feather/guide", { billions: 0.004, tier: "warm" });
const namesByGroup = (here: readonly OfferedModel[], fitting: readonly OfferedModel[]) =>
  Object.fromEntries(
    [...Map.groupBy(toModelChoices({ here, fitting }, NOW), ({ group }) => group)].map(([group, choices]) => [
      group,
      choices.map(({ label }) => label),
    ]),
  );

test("groups what is on the server first, and what fits by what it is best at", () => {
  const groups = namesByGroup(
    [DEMO, model("acme/small", { billions: 1, tier: "cold" }), model("acme/large", { billions: 8, tier: "warm" })],
    [
      model("acme/large", { billions: 8 }),
      model("acme/talker", { billions: 4 }),
      model("acme/thinker", { billions: 4, features: { reasoning: true } }),
      model("acme/coder", { billions: 4, features: { reasoning: true }, tags: { domains: ["code"] } }),
      model("acme/seer", { billions: 4, features: { image_input: true } }),
    ],
  );
  expect(groups).toEqual({
    Suggested: ["acme/large"],
    "On this server": ["acme/small", "feather/demo"],
    Chat: ["acme/talker"],
    Reasoning: ["acme/thinker"],
    Code: ["acme/coder"],
    Vision: ["acme/seer"],
  });
});

test("models that only embed texts are not offered for a conversation", () => {
  const embedder = model("acme/embedder", { billions: 1, tier: "warm", tags: { modalities: ["embedding"] } });
  expect(namesByGroup([DEMO, embedder], [])).toEqual({ Suggested: ["feather/demo"] });
});

test.each<[string, OfferedModel[], string]>([
  [
    "the newest of the larger models that leave half of the memory free",
    [
      model("acme/new-tiny", { billions: 1 }),
      model("acme/new-medium", { billions: 8 }),
      model("acme/old-medium", { billions: 12 }),
      model("acme/too-slow", { billions: 24 }),
    ],
    "acme/new-medium",
  ],
  [
    "the smallest where all that fits takes most of the memory",
    [model("acme/a", { billions: 40, verdict: "fits_quantized" }), model("acme/b", { billions: 30 })],
    "acme/b",
  ],
  ["what comes with the server where nothing else is there", [], "feather/guide"],
])("the suggested model is %s", (_, fitting, expected) => {
  expect(toModelChoices({ here: [DEMO, GUIDE], fitting }, NOW)[0]).toMatchObject({
    label: expected,
    group: "Suggested",
  });
});

test("each choice of a model says its size, its state or fit, and its tasks", () => {
  const seer = model("acme/seer", { billions: 4, verdict: "fits_quantized", features: { image_input: true } });
  const notes = toModelChoices({ here: [DEMO], fitting: [seer] }, NOW).map(({ note }) => note);
  expect(notes).toEqual(["4B, in fewer bits, 4.8 GB, chat vision", "1M, warm, chat"]);
});
