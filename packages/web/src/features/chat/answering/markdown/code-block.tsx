import { t } from "@lingui/core/macro";
import { Suspense, useContext, useEffect, useState } from "react";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { HighlightedTokens } from "#/components/ui/code/highlighted-tokens.tsx";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { Token } from "./code-tokens.ts";
import { previewKind } from "./preview-kind.ts";
import { PreviewsContext } from "./previews-context.ts";

const LazyPreviewFrame = lazyComponent(async () => (await import("./preview-frame.tsx")).PreviewFrame);

/** A code block of an answer with its language, a copy button, a preview of what can be drawn, and syntax highlighting once it is loaded. */
export function CodeBlock({ code, language, isComplete }: { code: string; language: string; isComplete: boolean }) {
  const tokens = useHighlightTokens(code, language, isComplete);
  const [isPreviewOpen, setPreviewOpen] = useState(false);
  const kind = useContext(PreviewsContext) && isComplete ? previewKind(language, code) : null;
  return (
    <div className="code">
      <div className="bar">
        <span>{language || "text"}</span>
        <span className="end">
          {kind === null ? null : (
            <button type="button" aria-expanded={isPreviewOpen} onClick={() => setPreviewOpen(!isPreviewOpen)}>
              {isPreviewOpen ? t`Close the preview` : t`Preview`}
            </button>
          )}
          <CopyButton text={code} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too */}
      <pre tabIndex={0}>
        <code>{tokens === null ? code : <HighlightedTokens tokens={tokens} />}</code>
      </pre>
      {kind !== null && isPreviewOpen ? (
        <Suspense fallback={null}>
          <LazyPreviewFrame kind={kind} code={code} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** Returns highlighted tokens; null while the code is still arriving or the highlighter is loading. */
function useHighlightTokens(code: string, language: string, isComplete: boolean): readonly Token[] | null {
  const [tokens, setTokens] = useState<readonly Token[] | null>(null);
  useEffect(() => {
    setTokens(null);
    if (!isComplete || language === "") return;
    let isCurrent = true;
    import("./code-tokens.ts").then(
      ({ highlightCode }) => isCurrent && setTokens(highlightCode(code, language)),
      () => {}, // the code stays readable without highlighting
    );
    return () => {
      isCurrent = false;
    };
  }, [code, language, isComplete]);
  return tokens;
}
