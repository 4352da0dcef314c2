import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type KeyboardEvent, useState } from "react";
import { CopyButton } from "#/components/ui/code.tsx";
import { AttachmentList } from "./attachment-list.tsx";
import { Branches } from "./branches.tsx";
import type { Attachment, Question } from "./types.ts";

type Props = {
  question: Question;
  siblings: readonly string[];
  editing: boolean;
  setEditing(id: string | null): void;
  choose(id: string): void;
  ask(question: Question, text: string, attachments: readonly Attachment[]): void;
};

/** A question as the user wrote it. Editing it adds a branch; the original stays. */
export function QuestionView({ question, siblings, editing, setEditing, choose, ask }: Props) {
  const { id, text, attachments, results } = question;
  if (editing)
    return (
      <QuestionEditor
        question={question}
        cancel={() => setEditing(null)}
        ask={(changed, files) => {
          setEditing(null);
          ask(question, changed, files);
        }}
      />
    );
  return (
    <div className="you">
      <div className="said">
        <span className="visually-hidden">{t`You said:`} </span>
        <AttachmentList attachments={attachments} />
        {results.map((result) => (
          <p key={result.callId} className="small">
            <Trans>
              Result of <code>{result.name}</code>: {result.text}
            </Trans>
          </p>
        ))}
        {text ? (
          <div className="as-written" dir="auto">
            {text}
          </div>
        ) : null}
      </div>
      <div className="meta">
        <CopyButton text={text} />
        {results.length === 0 ? (
          <button type="button" className="plain" onClick={() => setEditing(id)}>
            {t`Edit`}
          </button>
        ) : null}
        <Branches of={siblings} shown={id} what={t`message`} choose={choose} />
      </div>
    </div>
  );
}

type EditorProps = {
  question: Question;
  cancel(): void;
  ask(text: string, attachments: readonly Attachment[]): void;
};

function QuestionEditor({ question, cancel, ask }: EditorProps) {
  const [text, setText] = useState(question.text);
  const [attachments, setAttachments] = useState(question.attachments);
  const empty = text.trim() === "" && attachments.length === 0;
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      cancel();
    }
    if (event.key !== "Enter" || event.shiftKey || empty) return;
    event.preventDefault();
    ask(text.trim(), attachments);
  }
  return (
    <form
      className="you editing"
      onSubmit={(event) => {
        event.preventDefault();
        if (!empty) ask(text.trim(), attachments);
      }}
    >
      <AttachmentList
        attachments={attachments}
        remove={(gone) => setAttachments(attachments.filter((one) => one.id !== gone))}
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
        <span className="small dim">{t`The first version stays as a branch.`}</span>
        <button type="button" className="btn" onClick={cancel}>
          {t`Cancel`}
        </button>
        <button type="submit" className="btn" disabled={empty}>
          {t`Ask this instead`}
        </button>
      </div>
    </form>
  );
}
