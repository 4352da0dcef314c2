import { t } from "@lingui/core/macro";
import styles from "../chat.module.css";
import { formatFileSize } from "../conversation/attachments.ts";
import type { DraftFile } from "./use-draft.ts";

type Props = { files: readonly DraftFile[]; remove(id: string): void };

/** Lists the files of a message that are being read or cannot be, and what has to be known of others. */
export function UnreadFiles({ files, remove }: Props) {
  const unread = files.filter(({ attachment }) => attachment === null);
  const noted = files.filter(({ attachment, note }) => attachment !== null && note !== null);
  return (
    <div aria-live="polite">
      {unread.length > 0 ? (
        <ul className={styles.attachments} aria-label={t`Files that are not attached`}>
          {unread.map(({ id, name, size, problem }) => (
            <li key={id} data-problem={problem !== null} aria-busy={problem === null}>
              <span className="mono">{name}</span>
              {problem === null ? (
                <span className="tiny faint num">
                  {t`reading…`} {formatFileSize(size)}
                </span>
              ) : (
                <span className="small error-text">{problem}</span>
              )}
              <button type="button" className="plain" aria-label={t`Remove ${name}`} onClick={() => remove(id)}>
                ×
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {noted.map(({ id, name, note }) => (
        <p key={id} className="small faint">
          {name}: {note}
        </p>
      ))}
    </div>
  );
}
