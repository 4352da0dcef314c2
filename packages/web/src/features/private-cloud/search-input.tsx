import { useEffect, useRef, useState } from "react";

type Props = { label: string; placeholder: string; value: string; set(value: string): void };

/** A search that stands in the address. Typing is never slowed down or undone by the address coming after. */
export function SearchInput({ label, placeholder, value, set }: Props) {
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
        set(event.target.value);
      }}
    />
  );
}
