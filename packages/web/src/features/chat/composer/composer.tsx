import { t } from "@lingui/core/macro";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import styles from "../chat.module.css";
import { ATTACHMENT_LIMITS_TEXT, DOCUMENT_LIMITS_TEXT, IMAGE_TYPES } from "../conversation/attachments.ts";
import type { Attachment } from "../conversation/types.ts";
import { AttachmentList } from "./attachment-list.tsx";
import { UnreadFiles } from "./unread-files.tsx";
import type { DraftFile } from "./use-draft.ts";

type Props = {
  field: RefObject<HTMLTextAreaElement | null>;
  placeholder: string;
  text: string;
  setText(text: string): void;
  attachments: readonly Attachment[];
  /** All files of the message: attached, being read, and rejected. */
  files: readonly DraftFile[];
  attach(files: readonly File[]): void;
  detach(id: string): void;
  /** What prevents sending, and what has to be known before. */
  problems: readonly string[];
  acceptsImages: boolean;
  busy: boolean;
  /** Whether the message stays as it is while something is done with it. */
  isReadOnly: boolean;
  disabled: boolean;
  /** Whether it is disabled only because the chat is still loading. */
  isLoading: boolean;
  /** What is offered about the files, above the buttons. */
  notice: ReactNode;
  start: ReactNode;
  end: ReactNode;
  send(): void;
  stop(): void;
  /** Edits the latest question. */
  editLast(): void;
  /** Opens the choice of prompts; null where there is none. */
  openPrompts: (() => void) | null;
};

/** The Stop button replaces Send: a click within this time is the second half of a double click. */
const DOUBLE_CLICK_MS = 500;

/** The message field. Enter sends, Shift+Enter inserts a line break, Arrow Up edits the latest question. */
export function Composer(props: Props) {
  const { field, placeholder, text, setText, attachments, attach, detach, problems, busy, disabled, start, end } =
    props;
  const isEmpty = text.trim() === "" && attachments.length === 0;
  const { send, isLoading } = props;
  const canSend = !isEmpty && !busy && !disabled;
  // Enter pressed while the chat is still loading: the message is sent as soon as it can be.
  const [isSendPending, setSendPending] = useState(false);
  useEffect(() => {
    if (!isSendPending || !canSend) return;
    setSendPending(false);
    send();
  }, [isSendPending, canSend, send]);
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  const submit = () => {
    sentAt.current = performance.now();
    if (canSend) send();
    else if (isLoading && !isEmpty && !busy) setSendPending(true);
  };
  function stop({ detail }: MouseEvent): void {
    const isKeyboardClick = detail === 0;
    if (!isKeyboardClick && performance.now() - sentAt.current < DOUBLE_CLICK_MS) return;
    props.stop();
    // The button disappears with its focus.
    if (isKeyboardClick) field.current?.focus();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowUp" && text === "") {
      event.preventDefault();
      props.editLast();
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    submit();
  }
  function onPaste({ clipboardData, ...event }: ClipboardEvent): void {
    const files = [...(clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault?.();
    attach(files);
  }
  return (
    <form
      className={styles.compose}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <AttachmentList attachments={attachments} remove={detach} />
      <UnreadFiles files={props.files} remove={detach} />
      <textarea
        ref={field}
        data-typing-target
        aria-label={t`Message`}
        placeholder={placeholder}
        value={text}
        rows={Math.min(8, Math.max(2, text.split("\n").length))}
        dir="auto"
        readOnly={props.isReadOnly}
        onChange={(event) => {
          setSendPending(false);
          // The stroke stays in the text, so that a message can begin with one.
          if (text === "" && event.target.value === "/") props.openPrompts?.();
          setText(event.target.value);
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div aria-live="polite">
        {problems.map((problem) => (
          <p key={problem} className="small error-text">
            {problem}
          </p>
        ))}
        {props.notice}
      </div>
      <div className={`row between wrapping ${styles.controls}`}>
        <span className={`row wrapping ${styles.chips}`}>{start}</span>
        <FileButton acceptsImages={props.acceptsImages} disabled={disabled} attach={attach} />
        <span className="row">
          {end}
          {busy ? (
            <button type="button" className="btn" onClick={stop}>
              {t`Stop`}
            </button>
          ) : (
            <button type="submit" className="btn primary" disabled={disabled || isEmpty}>
              {t`Send`}
            </button>
          )}
        </span>
      </div>
    </form>
  );
}

/** What the file dialog offers; other files can be dropped. */
const DOCUMENT_TYPES = [
  "text/*",
  "application/pdf",
  ...[".pdf", ".docx", ".xlsx", ".csv", ".md", ".json", ".log", ".yaml", ".yml", ".toml", ".xml", ".ts", ".tsx"],
  ...[".js", ".py", ".rs", ".go", ".java", ".c", ".h", ".cpp", ".sh", ".sql"],
];

type FileButtonProps = Pick<Props, "acceptsImages" | "disabled" | "attach">;

function FileButton({ acceptsImages, disabled, attach }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const limits = acceptsImages ? ATTACHMENT_LIMITS_TEXT : DOCUMENT_LIMITS_TEXT;
  return (
    <>
      <button
        type="button"
        className="btn ghost icon"
        aria-label={t`Attach files`}
        title={limits}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        <svg
          width="16"
          height="16"
          viewBox="0 0 16 16"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinecap="round"
          aria-hidden="true"
        >
          <path d="M13 7.5 8 12.5a3 3 0 0 1-4.300-4.300l5.300-5.200a2 2 0 0 1 2.900 2.900l-5.200 5.100a1 1 0 0 1-1.400-1.400L9.800 5" />
        </svg>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={t`Files`}
        accept={acceptsImages ? [...IMAGE_TYPES, ...DOCUMENT_TYPES].join(",") : DOCUMENT_TYPES.join(",")}
        onChange={(event) => {
          attach([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}
