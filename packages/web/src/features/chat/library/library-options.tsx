import type { Prompt } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type KeyboardEvent, useId, useState } from "react";
import { Tag } from "#/components/ui/labels/tag.tsx";
import styles from "./library-options.module.css";
import type { PromptKind } from "./queries.ts";

type Props = { prompts: readonly Prompt[]; kind: PromptKind; choose(prompt: Prompt): void };

/** Prompts that the words of a search field are in. Arrow keys move, Enter chooses. */
export function LibraryOptions({ prompts, kind, choose }: Props) {
  const [words, setWords] = useState("");
  const [movedTo, setMovedTo] = useState(0);
  const id = useId();
  const found = prompts.filter((prompt) => hasWords(prompt, words));
  const active = found[Math.min(movedTo, found.length - 1)];
  const label = kind === "message" ? t`Search prompts` : t`Search personas`;

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      const next = (found.indexOf(active ?? (found[0] as Prompt)) + step + found.length) % found.length;
      setMovedTo(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (active) choose(active);
  }

  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog is there to be typed into
        autoFocus
        className="input mt-4"
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={active ? `${id}-${found.indexOf(active)}` : undefined}
        aria-label={label}
        placeholder={label}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setMovedTo(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={t`Found`} className={styles.options}>
        {found.map((prompt, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard
          <div
            key={prompt.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={prompt === active}
            className={styles.option}
            onClick={() => choose(prompt)}
          >
            <span className="row between">
              <bdi className="user-text">{prompt.name}</bdi>
              {prompt.owner === "organization" ? <Tag>{t`organization`}</Tag> : null}
            </span>
            <span className={`small muted ${styles.beginning}`}>{prompt.text}</span>
          </div>
        ))}
      </div>
      {found.length === 0 ? (
        <p className="muted">{prompts.length === 0 ? t`There are none yet.` : t`None has these words.`}</p>
      ) : null}
    </>
  );
}

/** Returns whether all words are in the name or the text. */
function hasWords({ name, text }: Prompt, words: string): boolean {
  const content = `${name}\n${text}`.toLocaleLowerCase();
  return words
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => content.includes(word));
}
