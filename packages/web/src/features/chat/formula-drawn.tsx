import "katex/dist/katex.min.css";
import katex from "katex";
import { useLayoutEffect, useRef } from "react";

/** Mathematics that fetches nothing, runs nothing, and neither grows over the page nor without end. */
const OPTIONS = {
  trust: false,
  strict: "ignore",
  maxExpand: 200,
  maxSize: 20,
  throwOnError: false,
  errorColor: "currentColor",
} as const;

/** A formula, drawn into its place: as nodes, for the page's policy takes no styles in text. */
export function FormulaDrawn({ tex, display }: { tex: string; display: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (place.current) katex.render(tex, place.current, { ...OPTIONS, displayMode: display });
  }, [tex, display]);
  return <span ref={place} className={display ? "formula own-line" : "formula"} />;
}
