import { type FormEvent, useEffect, useRef, useState } from "react";
import styles from "./search-field.module.css";

const DEBOUNCE_MS = 250;

type Props = {
  label: string;
  placeholder?: string;
  value: string;
  /**
   * `isFinal` is false while the visitor is still typing: such a change should replace the history entry, not add one.
   */
  onSearch(text: string, isFinal: boolean): void;
};

/** A search field that searches shortly after the last key press; Enter searches immediately. */
export function SearchField({ label, placeholder = label, value, onSearch }: Props) {
  const [text, setText] = useState(value);
  const lastSearch = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    // The result of an earlier search must not overwrite text that was typed after it.
    if (value !== lastSearch.current) setText(value);
    lastSearch.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function search(query: string, isFinal: boolean): void {
    clearTimeout(timer.current);
    if (query.trim() === lastSearch.current) return;
    lastSearch.current = query.trim();
    onSearch(query.trim(), isFinal);
  }

  function handleInput(query: string): void {
    setText(query);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(query, false), DEBOUNCE_MS);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    search(text, true);
  }

  return (
    <search className={styles.searchField}>
      <form onSubmit={submit}>
        <input
          className="input"
          type="search"
          aria-label={label}
          placeholder={placeholder}
          value={text}
          onChange={(event) => handleInput(event.target.value)}
        />
        <kbd>/</kbd>
      </form>
    </search>
  );
}
