import type { Backend } from "@feather/sdk";
import { t } from "@lingui/core/macro";

const STATE_LABELS: Record<Backend["state"], { tier: string; label: string }> = {
  healthy: { tier: "good", label: t`healthy` },
  cooling_down: { tier: "loading", label: t`cooling down` },
  unreachable: { tier: "bad", label: t`unreachable` },
  disabled: { tier: "offline", label: t`off` },
};
const SOURCE_LABELS: Record<Backend["source"], string> = {
  engine: t`this server`,
  settings: t`settings`,
  discovered: t`found here`,
  admin: t`added here`,
  deployment: t`deployment`,
};

/** Label and colour of a backend's state. */
export const backendStateLabel = ({ state }: Pick<Backend, "state">) => STATE_LABELS[state];
/** Label of where a backend comes from. */
export const backendSourceLabel = ({ source }: Pick<Backend, "source">): string => SOURCE_LABELS[source];

/** Only backends that an admin has added can be edited here. */
export const isEditable = ({ source }: Pick<Backend, "source">): boolean => source === "admin";
/** Only backends that are configured, here or in the settings, have keys that admins see. */
export const hasKeys = ({ source }: Pick<Backend, "source">): boolean => source === "admin" || source === "settings";
