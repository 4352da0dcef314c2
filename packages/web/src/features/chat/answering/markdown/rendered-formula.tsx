import renderedFormulaStyles from "./rendered-formula.module.css";
import "katex/dist/katex.min.css";
import katex from "katex";
import { useLayoutEffect, useRef } from "react";

/** Untrusted input: no external resources, no commands, limited size and expansion. */
const KATEX_OPTIONS = {
  trust: false,
  strict: "ignore",
  maxExpand: 200,
  maxSize: 20,
  throwOnError: false,
  errorColor: "currentColor",
} as const;

/** Renders a formula as DOM nodes: the content security policy forbids inline styles in HTML text. */
export function RenderedFormula({ tex, display }: { tex: string; display: boolean }) {
  const container = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (container.current) katex.render(tex, container.current, { ...KATEX_OPTIONS, displayMode: display });
  }, [tex, display]);
  return (
    <span
      ref={container}
      className={
        display ? `${renderedFormulaStyles.formula} ${renderedFormulaStyles.ownLine}` : renderedFormulaStyles.formula
      }
    />
  );
}
