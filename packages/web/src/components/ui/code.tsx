import { t } from "@lingui/core/macro";
import { type KeyboardEvent, type MouseEvent, useState } from "react";
import { copyText } from "#/lib/copy-text.ts";
import styles from "./code.module.css";
import { highlightCode } from "./highlight-code.ts";

/** A button that copies a text and briefly shows whether that worked. */
export function CopyButton({
  text,
  label = t`Copy`,
  subject,
  className = "plain",
}: {
  /** A function, if the text is loaded when it is copied; nothing is copied if that fails. */
  text: string | (() => Promise<string>);
  label?: string;
  /** Names the copied text for screen readers, if the label alone is ambiguous. */
  subject?: string;
  className?: string;
}) {
  const [feedback, setFeedback] = useState<string | null>(null);
  async function copy({ currentTarget }: MouseEvent<HTMLElement>): Promise<void> {
    setFeedback((await copyLoaded(text, currentTarget)) ? t`Copied` : t`Not copied`);
    setTimeout(() => setFeedback(null), 1500);
  }
  return (
    <button type="button" className={className} onClick={copy}>
      {feedback ?? label}
      {subject ? <span className="visually-hidden"> {subject}</span> : null}
    </button>
  );
}

async function copyLoaded(text: string | (() => Promise<string>), trigger: Element): Promise<boolean> {
  try {
    return await copyText(typeof text === "string" ? text : await text(), trigger);
  } catch {
    return false;
  }
}

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

/** A text with a copy button, such as an API key. */
export function CopyBlock({ text }: { text: string }) {
  return (
    <div className="code mt-4">
      <div className={`row between ${styles.copied}`}>
        <code className="mono">{text}</code>
        <CopyButton text={text} className="btn" />
      </div>
    </div>
  );
}
