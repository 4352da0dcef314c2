import { t } from "@lingui/core/macro";
import styles from "./upload-area.module.css";
import { isUnfinished, type Upload } from "./use-uploads.ts";

type Props = { uploads: readonly Upload[]; clear(): void };

/** The files that are being added to a collection, and what became of each. */
export function UploadList({ uploads, clear }: Props) {
  if (uploads.length === 0) return null;
  const finished = uploads.filter((upload) => !isUnfinished(upload)).length;
  const total = uploads.length;
  return (
    <div className="mt-3">
      <p className="row wrapping small">
        <span role="status" className="num">
          {finished < total
            ? t`${finished} of ${total} files are through. Stay on this page until all are.`
            : t`All ${total} files are through.`}
        </span>
        <button type="button" className="btn ghost" disabled={finished === 0} onClick={clear}>
          {t`Clear this list`}
        </button>
      </p>
      <ul className={styles.uploads} aria-label={t`Files that are added`}>
        {uploads.map(({ id, name, state, problem }) => (
          <li key={id} className="small user-text" aria-busy={state === "sending"}>
            <bdi>{name}</bdi>:{" "}
            <span className={state === "failed" ? "error-text" : "muted"}>{problem ?? STATE_LABELS[state]}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const STATE_LABELS: Readonly<Record<Upload["state"], string>> = {
  queued: t`waits`,
  sending: t`is being read …`,
  added: t`added`,
  failed: t`could not be added`,
};
