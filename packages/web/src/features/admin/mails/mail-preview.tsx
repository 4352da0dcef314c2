import type { MailTemplateDraft } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { errorMessage } from "#/lib/error-message.ts";
import { useDebounced } from "#/lib/use-debounced.ts";
import styles from "./mail-preview.module.css";
import { mailPreviewQuery } from "./queries.ts";

const DEBOUNCE_MS = 300;

/** The mail with sample values as it would be sent, or what is wrong with the draft. */
export function MailPreview({ name, draft }: { name: string; draft: MailTemplateDraft }) {
  const id = useId();
  const subject = useDebounced(draft.subject, DEBOUNCE_MS);
  const text = useDebounced(draft.text, DEBOUNCE_MS);
  const isEmpty = text.trim() === "";
  const preview = useQuery({ ...mailPreviewQuery(name, { ...draft, subject, text }), enabled: !isEmpty });
  return (
    <section aria-labelledby={id}>
      <h2 className="h4" id={id}>{t`Preview`}</h2>
      <p className="small muted mt-2">{t`With sample values.`}</p>
      {isEmpty ? (
        <p className="faint mt-3" role="status">
          {t`There is no text.`}
        </p>
      ) : preview.isError ? (
        <p className="notice mt-3 user-text" role="status">
          {errorMessage(preview.error)}
        </p>
      ) : preview.data ? (
        <article className={styles.mail} aria-busy={preview.isPlaceholderData}>
          {preview.data.subject === "" ? null : (
            <p className={`strong user-text ${styles.subject}`}>{preview.data.subject}</p>
          )}
          <pre className={styles.text}>{preview.data.text}</pre>
        </article>
      ) : (
        <Skeleton height={240} />
      )}
    </section>
  );
}
