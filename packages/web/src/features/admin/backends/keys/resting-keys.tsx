import type { BackendKey } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import styles from "../../admin.module.css";

/** Says which keys of a backend get no calls, and why. Nothing if all do. */
export function RestingKeys({ keys }: { keys: readonly BackendKey[] }) {
  return keys.map(({ id, label, error }) =>
    error === null ? null : (
      <div key={id} className={`small ${styles.cellNote} muted user-text`}>
        {t`${label} rests: ${error}`}
      </div>
    ),
  );
}
