import type { Token } from "@feather/markdown/highlight";
import { t } from "@lingui/core/macro";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { useNearViewport } from "#/lib/browser/use-near-viewport.ts";
import styles from "./code-block.module.css";
import { HighlightedTokens } from "./highlighted-tokens.tsx";

/** A code sample; `tokens` if its syntax highlighting is already known. */
export type CodeSample = { name: string; lang: string; code: string; tokens?: readonly Token[] };

/** Code with a copy button; several samples as tabs. The highlighter is loaded when the block comes into view. */
export function CodeBlock({ samples }: { samples: readonly CodeSample[] }) {
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const sample = samples[chosen] ?? samples[0];
  if (!sample) return null;
  const tabs = samples.length > 1;

  function moveTab({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = (chosen + step + samples.length) % samples.length;
    setChosen(next);
    currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  }

  return (
    <div className={`code ${styles.block}`}>
      {tabs || sample.name ? (
        <div className="bar">
          {tabs ? (
            <div className={styles.codeTabs} role="tablist" aria-label={t`Language`} onKeyDown={moveTab}>
              {samples.map(({ name }, index) => (
                <button
                  key={name}
                  type="button"
                  role="tab"
                  id={`${id}-${index}`}
                  aria-selected={index === chosen}
                  aria-controls={`${id}-code`}
                  tabIndex={index === chosen ? 0 : -1}
                  onClick={() => setChosen(index)}
                >
                  {name}
                </button>
              ))}
            </div>
          ) : (
            <span className="mono">{sample.name}</span>
          )}
          <span className="end">
            <CopyButton text={sample.code} />
          </span>
        </div>
      ) : (
        <span className={styles.copyCorner}>
          <CopyButton text={sample.code} />
        </span>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too */}
      <pre id={`${id}-code`} tabIndex={0} {...(tabs && { role: "tabpanel", "aria-labelledby": `${id}-${chosen}` })}>
        <HighlightedCode sample={sample} />
      </pre>
    </div>
  );
}

function HighlightedCode({ sample }: { sample: CodeSample }) {
  const { code } = sample;
  const lang = sample.lang || sample.name;
  const compiledTokens = sample.tokens;
  const [loadedTokens, setLoadedTokens] = useState<readonly Token[] | null>(null);
  const element = useRef<HTMLElement>(null);
  const isNear = useNearViewport(element);
  useEffect(() => {
    setLoadedTokens(null);
    if (compiledTokens !== undefined || !isNear) return;
    let isCurrent = true;
    import("@feather/markdown/highlight").then(
      ({ highlightCode }) => isCurrent && setLoadedTokens(highlightCode(code, lang)),
      () => {}, // the code stays readable without highlighting
    );
    return () => {
      isCurrent = false;
    };
  }, [code, lang, compiledTokens, isNear]);
  const tokens = compiledTokens ?? loadedTokens;
  if (tokens === null) return <code ref={element}>{code}</code>;
  return (
    <code>
      <HighlightedTokens tokens={tokens} />
    </code>
  );
}
