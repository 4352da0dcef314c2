import { ApiError } from "@feather/sdk";
import { expect, test } from "vitest";
import {
  describeState,
  getRefetchIntervalMs,
  getStateAction,
  STATE_NAMES,
} from "#/entities/models/private-model-states.ts";
import {
  addModelSchema,
  COMPATIBILITY_RULES,
  EMPTY_VALUES,
  getBrokenRules,
  listAddModelErrors,
  toRuleResults,
} from "./compatibility-rules.ts";

const fieldsOf = (error: unknown) => listAddModelErrors(error).map(({ field }) => field);
const listInvalidFields = (change: object) => {
  const result = addModelSchema.safeParse({ ...EMPTY_VALUES, id: "acme/support-8b", ...change });
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
  expect(listInvalidFields(change)).toEqual(fields);
});

const met = { id: "dtype" as const, label: "Sixteen bits", ok: true, detail: "bf16" };

test("the six rules are listed before, during and after a check", () => {
  expect(toRuleResults(null, false).map(({ state }) => state)).toEqual(COMPATIBILITY_RULES.map(() => "unknown"));
  expect(toRuleResults(null, true).every(({ state }) => state === "checking")).toBe(true);
  const lines = toRuleResults([met, { ...met, id: "safetensors", ok: false, detail: "Pickles." }], false);
  expect(lines.find(({ id }) => id === "dtype")).toMatchObject({ state: "met", label: "Sixteen bits" });
  expect(lines.find(({ id }) => id === "safetensors")).toMatchObject({ state: "broken", detail: "Pickles." });
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
  expect(fieldsOf(refused(code))).toEqual(field === null ? [] : [field]);
});

test("a field of a server error is mapped to the form's field", () => {
  expect(fieldsOf(refused("invalid_request", { fields: [{ field: "hf_token", message: "x" }] }))).toEqual(["token"]);
  expect(fieldsOf(new TypeError("network"))).toEqual([]);
});

test("the error for an incompatible repository contains the broken rules", () => {
  expect(getBrokenRules(refused("private_models.incompatible", { checks: [met] }))).toEqual([met]);
  expect(getBrokenRules(refused("private_models.limit_reached"))).toBeNull();
});

test("every state has a label and an action", () => {
  expect(STATE_NAMES.map((state) => [state, getStateAction(state)])).toEqual([
    ["queued", "stop"],
    ["downloading", "stop"],
    ["converting", "stop"],
    ["loading", "unload"],
    ["ready", "unload"],
    ["unloading", null],
    ["unloaded", "load"],
    ["failed", "load"],
  ]);
  expect(new Set(STATE_NAMES.map((state) => describeState(state).label)).size).toBe(STATE_NAMES.length);
  expect(describeState("made_up").label).toBe("made_up");
});

test("transient states are refetched more often", () => {
  expect(getRefetchIntervalMs([{ state: "ready" }, { state: "loading" }])).toBe(2_000);
  expect(getRefetchIntervalMs([{ state: "ready" }])).toBe(15_000);
});
