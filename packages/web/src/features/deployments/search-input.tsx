import { useEffect, useRef, useState } from "react";

type Props = { label: string; placeholder: string; value: string; onSearch(value: string): void };

/**
 * A search field whose value is stored in the URL. While it has the focus, later updates of the URL do not overwrite
 * it.
 */
export function SearchInput({ label, placeholder, value, onSearch }: Props) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement !== input.current) setText(value);
  }, [value]);
  return (
    <input
      ref={input}
      className="input"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        onSearch(event.target.value);
      }}
    />
  );
}
