import type { Backend } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** Whether organizations may use keys of their own at a backend. */
export const OWN_KEY_MODES = ["off", "allowed", "required"] as const satisfies readonly Backend["own_keys"][];

const LABELS: Readonly<Record<Backend["own_keys"], string>> = {
  off: t`Not used`,
  allowed: t`Used where there is one; other calls use the keys of the backend`,
  required: t`Required: the keys of the backend only list its models`,
};

/** The field for whether organizations may use keys of their own, in forms of backends of providers. */
export const OWN_KEYS_FIELD = {
  name: "own_keys" as const,
  label: t`Keys of organizations`,
  kind: "choice" as const,
  options: OWN_KEY_MODES.map((mode) => ({ value: mode, label: LABELS[mode] })),
  hint: t`Whether organizations may call the provider with keys of their own.`,
};
