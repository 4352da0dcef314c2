import { t } from "@lingui/core/macro";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { CopyButton } from "#/components/ui/code.tsx";
import { useNear } from "#/lib/use-near.ts";
import type { Token } from "./highlight.ts";

/** A code sample; `tokens` if its syntax highlighting is already known. */
export type Sample = { name: string; lang: string; code: string; tokens?: readonly Token[] };

/** Code with a copy button; several samples as tabs. The highlighter is loaded when the block comes into view. */
export function CodeBlock({ samples }: { samples: readonly Sample[] }) {
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const sample = samples[chosen] ?? samples[0];
  if (!sample) return null;
  const tabs = samples.length > 1;

  function move({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = (chosen + step + samples.length) % samples.length;
    setChosen(next);
    currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  }

  return (
    <div className="code doc-code">
      {tabs || sample.name ? (
        <div className="bar">
          {tabs ? (
            <div className="code-tabs" role="tablist" aria-label={t`Language`} onKeyDown={move}>
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
        <span className="copy-corner">
          <CopyButton text={sample.code} />
        </span>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too */}
      <pre id={`${id}-code`} tabIndex={0} {...(tabs && { role: "tabpanel", "aria-labelledby": `${id}-${chosen}` })}>
        <Highlighted sample={sample} />
      </pre>
    </div>
  );
}

function Highlighted({ sample }: { sample: Sample }) {
  const { code } = sample;
  const lang = sample.lang || sample.name;
  const known = sample.tokens;
  const [found, setFound] = useState<readonly Token[] | null>(null);
  const element = useRef<HTMLElement>(null);
  const near = useNear(element);
  useEffect(() => {
    setFound(null);
    if (known !== undefined || !near) return;
    let current = true;
    import("./highlight.ts").then(
      ({ tokensOf }) => current && setFound(tokensOf(code, lang)),
      () => {}, // the code stays readable without highlighting
    );
    return () => {
      current = false;
    };
  }, [code, lang, known, near]);
  const tokens = known ?? found;
  if (tokens === null) return <code ref={element}>{code}</code>;
  let at = 0;
  return (
    <code>
      {tokens.map(({ text, kind }) => {
        const key = at;
        at += text.length;
        return kind === null ? (
          text
        ) : (
          <span key={key} className={`hl-${kind}`}>
            {text}
          </span>
        );
      })}
    </code>
  );
}
