import { useEffect, useState } from "react";

const TICK_MS = 1_000;

/** Returns the current time, renewed each second. */
export function useTime(now: () => Date): Date {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), TICK_MS);
    return () => clearInterval(timer);
  }, [now]);
  return time;
}
