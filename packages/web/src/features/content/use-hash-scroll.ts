import { useEffect } from "react";
import { useLocation } from "react-router-dom";

/** Brings what the address points at into view, once the page that holds it is there. */
export function useHashScroll(ready: boolean): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second click on the same link scrolls again
  useEffect(() => {
    if (!ready || hash.length < 2) return;
    // A frame later, after the page was put to its top as every new page is.
    const frame = requestAnimationFrame(() => document.getElementById(decoded(hash.slice(1)))?.scrollIntoView());
    return () => cancelAnimationFrame(frame);
  }, [ready, hash, key]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
