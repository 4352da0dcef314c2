import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../conversation/settings.ts";
import { toChatSettings, toPersonaSettings } from "./personas.ts";

test("a persona keeps the settings that differ from the defaults, without its instructions and approvals", () => {
  const settings = { ...DEFAULT_SETTINGS, system: "Teach.", temperature: 0.2, mcp_tools: "docs__search" };
  expect(toPersonaSettings({ ...settings, persona: "Tutor", approved_tools: "docs__search f1" })).toEqual({
    temperature: 0.2,
    mcp_tools: "docs__search",
  });
});

test("a chat begins with the instructions and settings of its persona, and the defaults otherwise", () => {
  const settings = toChatSettings({ name: "Tutor", text: "Teach.", settings: { temperature: 0.2, top_k: 40 } });
  expect(settings).toEqual({ ...DEFAULT_SETTINGS, persona: "Tutor", system: "Teach.", temperature: 0.2, top_k: 40 });
});

test("settings of a persona that are not valid, not known, or an approval of tools are left out", () => {
  const stored = {
    temperature: 99,
    unknown: true,
    approved_tools: "docs__search f1",
    system: "Other",
    persona: "Other",
  };
  const settings = toChatSettings({ name: "Tutor", text: "Teach.", settings: stored });
  expect(settings).toEqual({ ...DEFAULT_SETTINGS, persona: "Tutor", system: "Teach." });
});
