import { t } from "@lingui/core/macro";
import { type MouseEvent, useState } from "react";
import { copyText } from "#/lib/browser/copy-text.ts";

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
