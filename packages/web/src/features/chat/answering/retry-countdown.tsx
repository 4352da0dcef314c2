import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useRef, useState } from "react";
import { formatRoughDuration } from "#/lib/format.ts";

type Props = {
  /** When a retry makes sense, in milliseconds since 1970. */
  retryAt: number;
  /** Retries automatically at that time, unless the user cancels. */
  retry?: () => void;
};

/** Counts down to the time of the next retry. It is not announced every second. */
export function RetryCountdown({ retryAt, retry }: Props) {
  const [now, setNow] = useState(() => Date.now());
  // A request refused long ago, or in an earlier visit, is not retried automatically.
  const [automatic, setAutomatic] = useState(retry !== undefined && retryAt > now);
  const latestRetry = useRef(retry);
  latestRetry.current = retry;
  const isOver = now >= retryAt;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [isOver]);
  useEffect(() => {
    if (isOver && automatic) latestRetry.current?.();
  }, [isOver, automatic]);
  if (isOver && !automatic) return null;
  const remaining = formatRoughDuration(retryAt - now);
  if (!automatic)
    return (
      <p className="muted mt-2 num">
        <Trans>It makes sense to ask again in {remaining}.</Trans>
      </p>
    );
  return (
    <p className="muted mt-2 num">
      <Trans>Asks again by itself in {remaining}.</Trans>{" "}
      <button type="button" className="plain" onClick={() => setAutomatic(false)}>
        {t`Do not ask again`}
      </button>
    </p>
  );
}
