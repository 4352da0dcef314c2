import { type FormEvent, useEffect, useRef, useState } from "react";

const PATIENCE_MS = 250;

type Props = {
  label: string;
  placeholder?: string;
  value: string;
  /** `settled` is false while somebody still types: such a step needs no place of its own in the history. */
  onSearch(text: string, settled: boolean): void;
};

/** A search that answers while one types, a moment after the last key; Enter asks at once. */
export function SearchField({ label, placeholder = label, value, onSearch }: Props) {
  const [text, setText] = useState(value);
  const asked = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    // An answer to an earlier key must not take back what was typed since.
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
