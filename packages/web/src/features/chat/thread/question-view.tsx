import { t } from "@lingui/core/macro";
import { type KeyboardEvent, useState } from "react";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { BranchSwitcher } from "../answering/branches.tsx";
import styles from "../chat.module.css";
import { AttachmentList } from "../composer/attachment-list.tsx";
import type { Attachment, Question } from "../conversation/types.ts";
import { PassagesButton } from "./passages-button.tsx";
import { ToolResults } from "./tool-results.tsx";

type Props = {
  question: Question;
  siblings: readonly string[];
  editing: boolean;
  setEditing(id: string | null): void;
  selectBranch(id: string): void;
  resend(question: Question, text: string, attachments: readonly Attachment[]): void;
};

/** A question as the user wrote it. Editing it adds a branch; the original stays. */
export function QuestionView({ question, siblings, editing, setEditing, selectBranch, resend }: Props) {
  const { id, text, attachments, results, passages } = question;
  if (editing)
    return (
      <QuestionEditor
        question={question}
        cancel={() => setEditing(null)}
        resend={(newText, files) => {
          setEditing(null);
          resend(question, newText, files);
        }}
      />
    );
  return (
    <div className={styles.you}>
      <div className={styles.said}>
        <span className="visually-hidden">{t`You said:`} </span>
        <AttachmentList attachments={attachments} />
        <ToolResults results={results} />
        {text ? (
          <div className={styles.asWritten} dir="auto">
            {text}
          </div>
        ) : null}
      </div>
      <div className={styles.meta}>
        {passages ? <PassagesButton passages={passages} attachments={attachments} /> : null}
        {text ? <CopyButton text={text} /> : null}
        {results.length === 0 ? (
          <button type="button" className="plain" onClick={() => setEditing(id)}>
            {t`Edit`}
          </button>
        ) : null}
        <BranchSwitcher versions={siblings} currentId={id} entryName={t`message`} selectBranch={selectBranch} />
      </div>
    </div>
  );
}

type EditorProps = {
  question: Question;
  cancel(): void;
  resend(text: string, attachments: readonly Attachment[]): void;
};

function QuestionEditor({ question, cancel, resend }: EditorProps) {
  const [text, setText] = useState(question.text);
  const [attachments, setAttachments] = useState(question.attachments);
  const isEmpty = text.trim() === "" && attachments.length === 0;
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      cancel();
    }
    if (event.key !== "Enter" || event.shiftKey || isEmpty) return;
    event.preventDefault();
    resend(text.trim(), attachments);
  }
  return (
    <form
      className={`${styles.you} ${styles.editing}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) resend(text.trim(), attachments);
      }}
    >
      <AttachmentList
        attachments={attachments}
        remove={(removedId) => setAttachments(attachments.filter((one) => one.id !== removedId))}
      />
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the user has just opened the editor here
        autoFocus
        className="input"
        aria-label={t`Edit the message`}
        dir="auto"
        value={text}
        rows={Math.min(10, Math.max(2, text.split("\n").length))}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="row">
        <span className="small faint">{t`The first version stays as a branch.`}</span>
        <button type="button" className="btn" onClick={cancel}>
          {t`Cancel`}
        </button>
        <button type="submit" className="btn" disabled={isEmpty}>
          {t`Ask this instead`}
        </button>
      </div>
    </form>
  );
}
