import { useState } from "react";

/** Copies a text and says so. */
export function CopyButton({
  text,
  label = "Copy",
  what,
  className = "plain",
}: {
  text: string;
  label?: string;
  /** What is copied, where the button alone does not say it. */
  what?: string;
  className?: string;
}) {
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  }
  return (
    <button type="button" className={className} onClick={copy}>
      {copied ? "Copied" : label}
      {what ? <span className="visually-hidden"> {what}</span> : null}
    </button>
  );
}

/** The same thing in several languages, one at a time. */
export function CodeTabs({ samples }: { samples: readonly { name: string; code: string }[] }) {
  const [chosen, setChosen] = useState(samples[0]?.name);
  const sample = samples.find(({ name }) => name === chosen) ?? samples[0];
  if (!sample) return null;
  return (
    <div className="code">
      <div className="bar">
        <div className="row" style={{ gap: "inherit" }} role="tablist" aria-label="Language">
          {samples.map(({ name }) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={name === sample.name}
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too */}
      <pre tabIndex={0}>
        <code>{sample.code}</code>
      </pre>
    </div>
  );
}

/** A text to be copied as it is, such as a key. */
export function CopyBlock({ text }: { text: string }) {
  return (
    <div className="code mt-4">
      <div className="row between" style={{ padding: "12px 14px" }}>
        <code className="mono" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
          {text}
        </code>
        <CopyButton text={text} className="btn" />
      </div>
    </div>
  );
}
