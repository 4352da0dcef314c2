import { useEffect, useState } from "react";
import { CopyButton } from "#/components/ui/code.tsx";
import type { Token } from "./code-tokens.ts";

/** Code in an answer: its language, a way to copy it, and colours once they are loaded. */
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

/** Code that is still arriving has no colours yet. */
function useTokens(code: string, language: string, complete: boolean): readonly Token[] | null {
  const [tokens, setTokens] = useState<readonly Token[] | null>(null);
  useEffect(() => {
    setTokens(null);
    if (!complete || language === "") return;
    let current = true;
    import("./code-tokens.ts").then(
      ({ tokensOf }) => current && setTokens(tokensOf(code, language)),
      () => {}, // it reads as well without colours
    );
    return () => {
      current = false;
    };
  }, [code, language, complete]);
  return tokens;
}
