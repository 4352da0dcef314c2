import { useEffect, useState } from "react";
import { CopyButton } from "#/components/ui/code.tsx";
import type { Token } from "./code-tokens.ts";

/** A code block of an answer with its language, a copy button, and syntax highlighting once it is loaded. */
export function CodePiece({ code, language, complete }: { code: string; language: string; complete: boolean }) {
  const tokens = useTokens(code, language, complete);
  let at = 0;
  return (
    <div className="code">
      <div className="bar">
        <span>{language || "text"}</span>
        <span className="end">
          <CopyButton text={code} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too */}
      <pre tabIndex={0}>
        <code>
          {tokens === null
            ? code
            : tokens.map(({ text, kind }) => {
                const key = at;
                at += text.length;
                if (kind === null) return text;
                return (
                  <span key={key} className={`hl-${kind}`}>
                    {text}
                  </span>
                );
              })}
        </code>
      </pre>
    </div>
  );
}

/** Returns highlighted tokens; null while the code is still arriving or the highlighter is loading. */
function useTokens(code: string, language: string, complete: boolean): readonly Token[] | null {
  const [tokens, setTokens] = useState<readonly Token[] | null>(null);
  useEffect(() => {
    setTokens(null);
    if (!complete || language === "") return;
    let current = true;
    import("./code-tokens.ts").then(
      ({ tokensOf }) => current && setTokens(tokensOf(code, language)),
      () => {}, // the code stays readable without highlighting
    );
    return () => {
      current = false;
    };
  }, [code, language, complete]);
  return tokens;
}
