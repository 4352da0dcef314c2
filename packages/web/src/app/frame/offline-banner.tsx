import { t } from "@lingui/core/macro";
import styles from "#/app/app.module.css";
import { useOnline } from "#/lib/browser/use-online.ts";

/** Shown on every page while the browser is offline. */
export function OfflineBanner() {
  const online = useOnline();
  return (
    <div role="status">
      {online ? null : (
        <p
          className={styles.offlineBanner}
        >{t`You are offline. What you see may be old; it is read anew when the network is back.`}</p>
      )}
    </div>
  );
}
