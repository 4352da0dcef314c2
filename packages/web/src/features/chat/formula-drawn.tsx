import "katex/dist/katex.min.css";
import katex from "katex";
import { useLayoutEffect, useRef } from "react";

/** Untrusted input: no external resources, no commands, limited size and expansion. */
const OPTIONS = {
  trust: false,
  strict: "ignore",
  maxExpand: 200,
  maxSize: 20,
  throwOnError: false,
  errorColor: "currentColor",
} as const;

/** Renders a formula as DOM nodes: the content security policy forbids inline styles in HTML text. */
export function FormulaDrawn({ tex, display }: { tex: string; display: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (place.current) katex.render(tex, place.current, { ...OPTIONS, displayMode: display });
  }, [tex, display]);
  return <span ref={place} className={display ? "formula own-line" : "formula"} />;
}
