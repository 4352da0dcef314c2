import { t } from "@lingui/core/macro";

/** The name of a state of a model or a download. */
export function stateLabel(state: string): string {
  const labels: Readonly<Record<string, string>> = {
    warm: t`loaded`,
    loading: t`loading`,
    waiting: t`waiting for memory`,
    restarting: t`restarting`,
    unloading: t`unloading`,
    failed: t`failed`,
    queued: t`queued`,
    downloading: t`downloading`,
    verifying: t`verifying`,
    converting: t`converting`,
    paused: t`paused`,
  };
  return labels[state] ?? state;
}
