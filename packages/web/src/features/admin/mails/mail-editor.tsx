import type { MailTemplate, MailTemplateVariable } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type FormEvent, type SyntheticEvent, useRef } from "react";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { Field } from "#/components/ui/forms/field.tsx";
import { TextareaField } from "#/components/ui/forms/textarea-field.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { ConflictNote } from "./conflict-note.tsx";
import { type Draft, hasSameWords } from "./draft.ts";
import styles from "./mail-editor.module.css";
import { MailPreview } from "./mail-preview.tsx";
import { toPlaceholder } from "./placeholder.ts";
import { mailTemplateQuery } from "./queries.ts";
import { TextDiff } from "./text-diff.tsx";
import { useDraft } from "./use-draft.ts";
import { VariableList } from "./variable-list.tsx";

type TextInput = HTMLInputElement | HTMLTextAreaElement;

const ROWS = 16;

/** Edits the words of a mail, with its variables and a preview beside them. */
export function MailEditor({ template }: { template: MailTemplate }) {
  const { name, language, title, is_edited } = template;
  const { draft, isChanged, isOutdated, change, begin, rebase } = useDraft(template);
  const { save, reset, test } = useMailActions(template, begin);
  const cursor = useRef<TextInput | null>(null);
  const confirm = useConfirm();
  const noteCursor = ({ currentTarget }: SyntheticEvent<TextInput>) => {
    cursor.current = currentTarget;
  };
  const insert = (variable: MailTemplateVariable) => {
    if (cursor.current) change(insertAt(cursor.current, variable));
    else change({ text: draft.text + toPlaceholder(variable, "") });
  };
  function submit(event: FormEvent): void {
    event.preventDefault();
    void save.run(draft);
  }
  const askForReset = () =>
    confirm({
      title: t`Reset “${title}”`,
      description: t`The mail has its default words again. Yours are lost.`,
      confirmButtonText: t`Reset the mail`,
      destructive: true,
      action: async () => {
        await reset.run();
      },
    });
  return (
    <div className={styles.editor}>
      <form onSubmit={submit}>
        {template.has_subject ? (
          <Field
            label={t`Subject`}
            name="subject"
            value={draft.subject}
            maxLength={200}
            autoComplete="off"
            onFocus={noteCursor}
            onChange={(event) => change({ subject: event.target.value })}
          />
        ) : null}
        <TextareaField
          label={t`Text`}
          name="text"
          className={`input ${styles.text}`}
          value={draft.text}
          rows={ROWS}
          maxLength={10_000}
          onFocus={noteCursor}
          onChange={(event) => change({ text: event.target.value })}
        />
        {isOutdated ? (
          <ConflictNote
            template={template}
            draft={draft}
            takeTheirs={() => begin(template)}
            keepMine={() => rebase(template)}
          />
        ) : (
          <ErrorNotice error={save.error} />
        )}
        <div className="row wrapping mt-4">
          <button type="submit" className="btn primary" disabled={!isChanged || isOutdated || save.busy}>
            {t`Save`}
          </button>
          <button
            type="button"
            className="btn"
            disabled={test.busy || draft.text.trim() === ""}
            onClick={() => void test.run(draft)}
          >
            {t`Send me a test`}
          </button>
          {isChanged ? (
            <button type="button" className="btn ghost" onClick={() => begin(template)}>
              {t`Drop changes`}
            </button>
          ) : is_edited ? (
            <button type="button" className="btn ghost" onClick={askForReset}>
              {t`Reset to the default`}
            </button>
          ) : null}
        </div>
      </form>
      <div className={styles.preview}>
        <MailPreview name={name} draft={{ language, subject: draft.subject, text: draft.text }} />
        {hasSameWords(draft, template.default) ? null : (
          <details className="mt-5">
            <summary>{t`Differences to the default`}</summary>
            <TextDiff before={template.default} after={draft} />
          </details>
        )}
      </div>
      <VariableList variables={template.variables} insert={insert} />
    </div>
  );
}

/** The writes of the editor. `begin` starts anew with the words that the server has stored. */
function useMailActions({ name, language, title, version }: MailTemplate, begin: (template: MailTemplate) => void) {
  const save = useAction((words: Draft) => feather.admin.mailTemplates.set(name, { ...words, language }), {
    success: () => t`${title}: saved`,
    onSuccess: (saved, _, client) => {
      client.setQueryData(mailTemplateQuery(name, language).queryKey, saved);
      begin(saved);
    },
    showsError: true,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const reset = useAction(() => feather.admin.mailTemplates.delete(name, { language, version }), {
    success: () => t`${title}: has its default words`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const test = useAction(
    ({ subject, text }: Draft) => feather.admin.mailTemplates.test(name, { language, subject, text }),
    {
      success: ({ to }) => t`A test is on its way to ${to}`,
    },
  );
  return { save, reset, test };
}

/** Puts a variable where the cursor is, around what is selected if it is a condition. Returns the change of the draft. */
function insertAt(input: TextInput, variable: MailTemplateVariable): Partial<Draft> {
  const start = input.selectionStart ?? input.value.length;
  const end = input.selectionEnd ?? start;
  const selected = variable.is_condition ? input.value.slice(start, end) : "";
  input.focus();
  input.setRangeText(toPlaceholder(variable, selected), start, end, "end");
  return input.name === "subject" ? { subject: input.value } : { text: input.value };
}
