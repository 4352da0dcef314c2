import { t } from "@lingui/core/macro";
import { useOnline } from "#/lib/use-online.ts";

/** Says on every page that there is no network, as long as there is none. */
export function OfflineBanner() {
  const online = useOnline();
  return (
    <div role="status">
      {online ? null : (
        <p className="offline-banner">{t`You are offline. What you see may be old; it is read anew when the network is back.`}</p>
      )}
    </div>
  );
}
