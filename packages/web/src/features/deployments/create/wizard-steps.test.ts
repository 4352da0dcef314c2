import { describe, expect, test } from "vitest";
import type { KeyValueStore } from "#/lib/browser/storage.ts";
import { type DeploymentDraft, type DraftField, EMPTY_DRAFT } from "../form/draft.ts";
import { clearDraft, readDraft, saveDraft } from "../form/draft-store.ts";
import { readStep, stepOfField, WIZARD_STEPS } from "./wizard-steps.ts";

const GOOD: DeploymentDraft = {
  ...EMPTY_DRAFT,
  model_id: "acme/support-8b",
  provider_id: "local",
  region: "here",
  instance_type: "cpu",
  name: "support-bot",
};

test.each<[string | null, Partial<DeploymentDraft>, string]>([
  [null, {}, "model"],
  ["made-up", {}, "model"],
  ["review", {}, "review"],
  ["provider", {}, "provider"],
  ["review", { name: "" }, "replicas"],
  ["review", { region: "" }, "provider"],
  ["review", { model_id: "", name: "" }, "model"],
  ["model", { name: "" }, "model"],
])("the step %s in the URL, with %j, opens %s", (requested, change, step) => {
  expect(WIZARD_STEPS[readStep(requested, { ...GOOD, ...change })]?.id).toBe(step);
});

test("every field belongs to one step", () => {
  for (const field of Object.keys(EMPTY_DRAFT) as DraftField[])
    expect([field, WIZARD_STEPS.filter(({ fields }) => fields.includes(field)).length]).toEqual([field, 1]);
  expect(stepOfField("region")).toBe("provider");
});

describe("the stored draft", () => {
  const store = (text: string | null = null): KeyValueStore => ({
    get: () => text,
    set: (_key, value) => {
      text = value;
      return true;
    },
    remove: () => {
      text = null;
    },
  });

  test("the stored draft survives a reload until the deployment is created", () => {
    const tab = store();
    saveDraft(tab, GOOD);
    expect(readDraft(tab)).toEqual(GOOD);
    clearDraft(tab);
    expect(readDraft(tab)).toEqual(EMPTY_DRAFT);
  });

  test.each(["{", "null", "[1]", '"text"', '{"name":5,"other":"x","__proto__":{"a":1}}'])(
    "%s is used as far as it is valid",
    (text) => {
      expect(readDraft(store(text))).toEqual(EMPTY_DRAFT);
    },
  );
});
