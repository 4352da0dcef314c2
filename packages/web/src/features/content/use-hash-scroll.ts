import { useEffect } from "react";
import { useLocation } from "react-router-dom";

/** Scrolls to the element of the URL's hash once the page is rendered. */
export function useHashScroll(ready: boolean): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second click on the same link scrolls again
  useEffect(() => {
    if (!ready || hash.length < 2) return;
    // In the next frame, after navigation has scrolled to the top.
    const frame = requestAnimationFrame(() => document.getElementById(decodeHash(hash.slice(1)))?.scrollIntoView());
    return () => cancelAnimationFrame(frame);
  }, [ready, hash, key]);
}

function decodeHash(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
