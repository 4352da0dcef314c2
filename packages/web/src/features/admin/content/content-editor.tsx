import type { ContentItem } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type FormEvent, type ReactNode, useId } from "react";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { ContentConflict } from "./content-conflict.tsx";
import styles from "./content-editor.module.css";
import { ContentFields } from "./content-fields.tsx";
import type { ContentKind } from "./queries.ts";
import { useContentActions } from "./use-content-actions.ts";
import { useContentDraft } from "./use-content-draft.ts";

type Props = {
  kind: ContentKind;
  slug: string;
  /** What is stored; null for what is new. */
  item: ContentItem | null;
  /** Shows a text as the site does. */
  preview(text: string): ReactNode;
};

/** Edits a post or page, with a preview beside it. */
export function ContentEditor({ kind, slug, item, preview }: Props) {
  const { draft, base, isChanged, isOutdated, change, begin, rebase, settle } = useContentDraft(item);
  const { save, removal } = useContentActions({ kind, slug }, settle);
  const confirm = useConfirm();
  const id = useId();
  function submit(event: FormEvent): void {
    event.preventDefault();
    void save.run({ draft, base });
  }
  const confirmDeletion = (stored: ContentItem) =>
    confirm({
      title: t`Delete “${stored.title}”`,
      description: describeDeletion(stored),
      confirmButtonText: t`Delete it`,
      destructive: true,
      action: async () => {
        await removal.run(stored);
      },
    });
  return (
    <div className={styles.editor}>
      <form onSubmit={submit}>
        <ContentFields draft={draft} change={change} />
        {isOutdated && item ? (
          <ContentConflict item={item} takeTheirs={() => begin(item)} keepMine={() => rebase(item)} />
        ) : (
          <ErrorNotice error={save.error} />
        )}
        <div className="row wrapping mt-4">
          <button type="submit" className="btn primary" disabled={!isChanged || isOutdated || save.busy}>
            {t`Save`}
          </button>
          {isChanged && base ? (
            <button type="button" className="btn ghost" onClick={() => begin(item)}>
              {t`Drop changes`}
            </button>
          ) : null}
          {item && item.version > 0 ? (
            <button type="button" className="btn ghost" onClick={() => confirmDeletion(item)}>
              {t`Delete`}
            </button>
          ) : null}
        </div>
      </form>
      <section aria-labelledby={id}>
        <h2 className="h4" id={id}>{t`Preview`}</h2>
        {preview(draft.text)}
      </section>
    </div>
  );
}

/** Says what is shown at the address afterwards. */
function describeDeletion({ replaces }: ContentItem): string {
  if (replaces === "folder") return t`The file of the data folder is shown in its place again.`;
  if (replaces === "built_in") return t`The post that comes with Feather is shown in its place again.`;
  return t`Its address leads nowhere then. It cannot be restored.`;
}
