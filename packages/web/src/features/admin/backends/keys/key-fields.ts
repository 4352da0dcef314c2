import { t } from "@lingui/core/macro";
import { requiredInteger } from "../../forms/field-schemas.ts";

/** Characters of a label. */
export const MAX_LABEL = 64;

/** The schema of a key's weight. */
export const keyWeight = requiredInteger(t`Weight`, { min: 1, max: 1000 });

/** The field of a key's weight in a form. */
export const WEIGHT_FIELD = {
  name: "weight",
  label: t`Weight`,
  inputMode: "numeric",
  hint: t`Its share of the calls beside the others.`,
} as const;
