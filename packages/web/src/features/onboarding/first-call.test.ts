import { expect, test } from "vitest";
import { createFirstCallSamples, listAssistantSettings } from "./first-call.ts";

const MODEL = "Qwen/Qwen3-8B";
const ORIGIN = "https://feather.example";

test.each(["curl", "TypeScript", "Python", "CLI"])("the %s sample contains the model and the user's key", (name) => {
  const code = createFirstCallSamples(MODEL, ORIGIN, "rc_mine").find((sample) => sample.name === name)?.code ?? "";
  expect(code).toContain(MODEL);
  expect(code).toContain("FEATHER_API_KEY=rc_mine");
  expect(code).toContain(ORIGIN);
});

test("samples contain a placeholder where the key is unknown", () => {
  for (const { code } of createFirstCallSamples(MODEL, ORIGIN, null)) expect(code).toContain("rc_your_key");
});

test("the settings of an assistant are address, key and model", () => {
  expect(Object.fromEntries(listAssistantSettings(MODEL, ORIGIN, "rc_mine"))).toEqual({
    Provider: "OpenAI compatible",
    "Base URL": "https://feather.example/v1",
    "API key": "rc_mine",
    Model: MODEL,
  });
});
