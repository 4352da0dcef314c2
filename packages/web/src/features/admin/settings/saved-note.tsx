import type { SavedSetting } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { RelativeTime } from "../relative-time.tsx";
import styles from "./settings.module.css";

/** Says who saved a value or removed it, when, and whether the server uses it yet. */
export function SavedNote({ saved: { is_set, saved_at, saved_by, needs_restart } }: { saved: SavedSetting }) {
  const name = saved_by ?? t`a deleted account`;
  const time = <RelativeTime date={saved_at} />;
  return (
    <span className={`user-text ${styles.line}`}>
      {is_set ? (
        <Trans>
          Saved by {name} {time}.
        </Trans>
      ) : (
        <Trans>
          Set back to the default by {name} {time}.
        </Trans>
      )}{" "}
      {needs_restart ? <strong>{t`Used after the next start.`}</strong> : null}
    </span>
  );
}
