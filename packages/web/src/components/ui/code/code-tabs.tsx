import { t } from "@lingui/core/macro";
import { type KeyboardEvent, useState } from "react";
import styles from "./code-tabs.module.css";
import { CopyButton } from "./copy-button.tsx";
import { highlightCode } from "./highlight-code.ts";

/** Code samples in tabs, for example one per language. */
export function CodeTabs({ samples }: { samples: readonly { name: string; code: string }[] }) {
  const [chosen, setChosen] = useState(samples[0]?.name);
  const sample = samples.find(({ name }) => name === chosen) ?? samples[0];
  if (!sample) return null;

  function handleKeyDown({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const index = samples.findIndex(({ name }) => name === sample?.name);
    const next = (index + step + samples.length) % samples.length;
    setChosen(samples[next]?.name);
    currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  }

  return (
    <div className="code">
      <div className="bar">
        <div className={`row ${styles.languages}`} role="tablist" aria-label={t`Language`} onKeyDown={handleKeyDown}>
          {samples.map(({ name }) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={name === sample.name}
              tabIndex={name === sample.name ? 0 : -1}
              onClick={() => setChosen(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <span className="end">
          <CopyButton text={sample.code} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines can be scrolled by keyboard */}
      <pre tabIndex={0}>
        <HighlightedCode code={sample.code} />
      </pre>
    </div>
  );
}

function HighlightedCode({ code }: { code: string }) {
  let at = 0;
  return (
    <code>
      {highlightCode(code).map(({ text, kind }) => {
        const key = at;
        at += text.length;
        return kind === null ? (
          text
        ) : (
          <span key={key} className={kind === "string" ? styles.s : styles.c}>
            {text}
          </span>
        );
      })}
    </code>
  );
}
