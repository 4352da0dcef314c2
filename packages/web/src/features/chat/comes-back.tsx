import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useRef, useState } from "react";
import { waitWords } from "./waiting.ts";

type Props = {
  /** When a retry makes sense, in milliseconds since 1970. */
  at: number;
  /** Retries automatically at that time, unless the user cancels. */
  retry?: () => void;
};

/** Counts down to the time of the next retry. It is not announced every second. */
export function ComesBack({ at, retry }: Props) {
  const [now, setNow] = useState(() => Date.now());
  // A request refused long ago, or in an earlier visit, is not retried automatically.
  const [automatic, setAutomatic] = useState(retry !== undefined && at > now);
  const act = useRef(retry);
  act.current = retry;
  const over = now >= at;
  useEffect(() => {
    if (over) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [over]);
  useEffect(() => {
    if (over && automatic) act.current?.();
  }, [over, automatic]);
  if (over && !automatic) return null;
  const left = waitWords(at - now);
  if (!automatic)
    return (
      <p className="mid mt-2 num">
        <Trans>It makes sense to ask again in {left}.</Trans>
      </p>
    );
  return (
    <p className="mid mt-2 num">
      <Trans>Asks again by itself in {left}.</Trans>{" "}
      <button type="button" className="plain" onClick={() => setAutomatic(false)}>
        {t`Do not ask again`}
      </button>
    </p>
  );
}
