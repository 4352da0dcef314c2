import { type Compatibility, isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { createFieldLookup, type FieldError, listFieldErrors } from "#/lib/field-errors.ts";

/** The schema of the form. */
export const addModelSchema = z.object({
  id: z
    .string()
    .trim()
    .max(200, t`Repository is not valid: its id is too long.`)
    .regex(/^(?!.*\.\.)[\w.-]+\/[\w.-]+$/, t`Repository is not valid: an id is written owner/name.`),
  revision: z
    .string()
    .trim()
    .max(100, t`Revision is not valid: 100 characters at most.`)
    .regex(/^\S*$/, t`Revision is not valid: it has no spaces.`),
  token: z
    .string()
    .trim()
    .max(500, t`Token is not valid: 500 characters at most.`)
    .regex(/^[!-~]*$/, t`Token is not valid: it has only letters, digits and signs, without spaces.`),
});

/** The values of the form. */
export type AddModelValues = z.infer<typeof addModelSchema>;
/** An empty form. */
export const EMPTY_VALUES: AddModelValues = { id: "", revision: "", token: "" };

/** The id of a compatibility rule. */
export type RuleId = Compatibility["checks"][number]["id"];

/** The six rules with the labels shown before a check. */
export const COMPATIBILITY_RULES: readonly { id: RuleId; label: string }[] = [
  { id: "model_card", label: t`A model card: README.md is there` },
  { id: "full_weights", label: t`Full weights, no adapter` },
  { id: "safetensors", label: t`Weights as safetensors` },
  { id: "dtype", label: t`Sixteen bits: bf16 or f16` },
  { id: "architecture", label: t`An architecture that runs here` },
  { id: "tensor_shapes", label: t`Shaped like a model of the catalogue` },
];

/** A rule with the result of its check. */
export type RuleResult = {
  id: string;
  label: string;
  state: "unknown" | "checking" | "met" | "broken";
  detail: string;
};

/** Returns the rules with their results. Further checks of the server follow the six. */
export function toRuleResults(checks: Compatibility["checks"] | null, checking: boolean): RuleResult[] {
  const checksById = new Map((checks ?? []).map((check) => [check.id, check]));
  const known = COMPATIBILITY_RULES.map(({ id, label }): RuleResult => {
    const check = checksById.get(id);
    if (!check) return { id, label, state: checking ? "checking" : "unknown", detail: "" };
    return { id, label: check.label, state: check.ok ? "met" : "broken", detail: check.detail };
  });
  const further = (checks ?? [])
    .filter(({ id }) => !COMPATIBILITY_RULES.some((rule) => rule.id === id))
    .map(({ id, label, ok, detail }): RuleResult => ({ id, label, state: ok ? "met" : "broken", detail }));
  return [...known, ...further];
}

const toField = createFieldLookup<keyof AddModelValues>(["id", "revision", "token"], {
  hf_token: "token",
  "x-hub-token": "token",
});

const FIELDS_BY_CODE: Record<string, keyof AddModelValues> = {
  "hub.not_found": "id",
  model_gated_needs_oauth: "token",
  "hub.gated": "token",
  "hub.token_refused": "token",
};

/** Returns the messages of an error for the form's fields. */
export const listAddModelErrors = (error: unknown): FieldError<keyof AddModelValues>[] =>
  listFieldErrors(error, toField, FIELDS_BY_CODE);

/** Returns the rules named in the error for an incompatible repository; null for other errors. */
export function getBrokenRules(error: unknown): Compatibility["checks"] | null {
  if (!isApiError(error) || error.code !== "private_models.incompatible") return null;
  const { checks } = error.details;
  return Array.isArray(checks) ? (checks as Compatibility["checks"]) : null;
}
