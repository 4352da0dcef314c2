import { ApiError } from "@feather/sdk";
import { expect, test } from "vitest";
import { addRules, brokenRules, EMPTY_ADD, fieldOfFault, RULES, ruleLines } from "./add-rules.ts";
import { aboutState, askAgainAfter, choiceOf, STATE_NAMES } from "./states.ts";

const faults = (change: object) => {
  const result = addRules.safeParse({ ...EMPTY_ADD, id: "acme/support-8b", ...change });
  return result.success ? [] : result.error.issues.map(({ path }) => path.join("."));
};

test.each([
  [{}, []],
  [{ id: " acme/support-8b " }, []],
  [{ id: "support-8b" }, ["id"]],
  [{ id: "https://hub.example/acme/support-8b" }, ["id"]],
  [{ id: "acme/../x" }, ["id"]],
  [{ revision: "two words" }, ["revision"]],
  [{ token: "hf_ü" }, ["token"]],
  [{ token: "hf x" }, ["token"]],
  [{ token: "x".repeat(501) }, ["token"]],
])("the form with %j has errors at %j", (change, fields) => {
  expect(faults(change)).toEqual(fields);
});

const met = { id: "dtype" as const, label: "Sixteen bits", ok: true, detail: "bf16" };

test("the six rules are listed before, during and after a check", () => {
  expect(ruleLines(null, false).map(({ is }) => is)).toEqual(RULES.map(() => "unknown"));
  expect(ruleLines(null, true).every(({ is }) => is === "checking")).toBe(true);
  const lines = ruleLines([met, { ...met, id: "safetensors", ok: false, detail: "Pickles." }], false);
  expect(lines.find(({ id }) => id === "dtype")).toMatchObject({ is: "met", label: "Sixteen bits" });
  expect(lines.find(({ id }) => id === "safetensors")).toMatchObject({ is: "broken", detail: "Pickles." });
});

const refused = (code: string, details: Record<string, unknown> = {}) =>
  new ApiError({ status: 422, requestId: null, message: "x", code, details });

test.each([
  ["hub.not_found", "id"],
  ["hub.gated", "token"],
  ["hub.token_refused", "token"],
  ["model_gated_needs_oauth", "token"],
  ["store.no_gguf", null],
])("the error %s belongs to the field %s", (code, field) => {
  expect(fieldOfFault(refused(code))).toBe(field);
});

test("a field of a server error is mapped to the form's field", () => {
  expect(fieldOfFault(refused("invalid_request", { fields: [{ field: "hf_token", message: "x" }] }))).toBe("token");
  expect(fieldOfFault(new TypeError("network"))).toBeNull();
});

test("the error for an incompatible repository contains the broken rules", () => {
  expect(brokenRules(refused("private_models.incompatible", { checks: [met] }))).toEqual([met]);
  expect(brokenRules(refused("private_models.limit"))).toBeNull();
});

test("every state has a label and an action", () => {
  expect(STATE_NAMES.map((state) => [state, choiceOf(state)])).toEqual([
    ["queued", "stop"],
    ["downloading", "stop"],
    ["loading", "unload"],
    ["ready", "unload"],
    ["unloading", null],
    ["unloaded", "load"],
    ["failed", "load"],
  ]);
  expect(new Set(STATE_NAMES.map((state) => aboutState(state).word)).size).toBe(STATE_NAMES.length);
  expect(aboutState("made_up").word).toBe("made_up");
});

test("transient states are refetched more often", () => {
  expect(askAgainAfter([{ state: "ready" }, { state: "loading" }])).toBe(2_000);
  expect(askAgainAfter([{ state: "ready" }])).toBe(15_000);
});
