import { type FormEvent, useEffect, useRef, useState } from "react";

const PATIENCE_MS = 250;

type Props = {
  label: string;
  placeholder?: string;
  value: string;
  /**
   * `isFinal` is false while the visitor is still typing: such a change should replace the history entry, not add one.
   */
  onSearch(text: string, settled: boolean): void;
};

/** A search field that searches shortly after the last key press; Enter searches immediately. */
export function SearchField({ label, placeholder = label, value, onSearch }: Props) {
  const [text, setText] = useState(value);
  const asked = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    // A late result of an earlier search must not overwrite what was typed since.
    if (value !== asked.current) setText(value);
    asked.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function ask(words: string, settled: boolean): void {
    clearTimeout(timer.current);
    if (words.trim() === asked.current) return;
    asked.current = words.trim();
    onSearch(words.trim(), settled);
  }

  function type(words: string): void {
    setText(words);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => ask(words, false), PATIENCE_MS);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    ask(text, true);
  }

  return (
    <search className="search-field">
      <form onSubmit={submit}>
        <input
          className="input"
          type="search"
          aria-label={label}
          placeholder={placeholder}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
        <kbd>/</kbd>
      </form>
    </search>
  );
}
