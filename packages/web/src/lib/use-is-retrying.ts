import { useEffect, useState } from "react";
import { RETRY_EVENT } from "./feather.ts";

/** Returns whether a write has failed and is sent again, from the first failure until `isBusy` ends. */
export function useIsRetrying(isBusy: boolean): boolean {
  const [isRetrying, setRetrying] = useState(false);
  useEffect(() => {
    if (!isBusy) return;
    const onRetry = () => setRetrying(true);
    addEventListener(RETRY_EVENT, onRetry);
    return () => {
      removeEventListener(RETRY_EVENT, onRetry);
      setRetrying(false);
    };
  }, [isBusy]);
  return isRetrying;
}
