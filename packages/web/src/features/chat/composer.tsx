import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";

type Props = {
  placeholder: string;
  busy: boolean;
  disabled: boolean;
  start: ReactNode;
  end: ReactNode;
  send(text: string): void;
  stop(): void;
};

/** Where a message is written. Enter sends, Shift and Enter begin a new line. */
export function Composer({ placeholder, busy, disabled, start, end, send, stop }: Props) {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  function submit(): void {
    const message = text.trim();
    if (message === "" || busy || disabled) return;
    send(message);
    setText("");
    field.current?.focus();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  }
  return (
    <form
      className="compose"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        ref={field}
        aria-label="Message"
        placeholder={placeholder}
        value={text}
        rows={Math.min(8, Math.max(2, text.split("\n").length))}
        dir="auto"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="row between wraps">
        {start}
        <span className="row">
          {end}
          {busy ? (
            <button type="button" className="btn" onClick={stop}>
              Stop
            </button>
          ) : (
            <button type="submit" className="btn primary" disabled={disabled || text.trim() === ""}>
              Send
            </button>
          )}
        </span>
      </div>
    </form>
  );
}
