import { t } from "@lingui/core/macro";
import styles from "../chat.module.css";
import { formatFileSize } from "../conversation/attachments.ts";
import type { Attachment } from "../conversation/types.ts";

/** Lists attachments: images as previews, text files by name. */
export function AttachmentList({
  attachments,
  remove,
}: {
  attachments: readonly Attachment[];
  remove?: (id: string) => void;
}) {
  if (attachments.length === 0) return null;
  return (
    <ul className={styles.attachments} aria-label={t`Files`}>
      {attachments.map(({ id, kind, name, size, data }) => (
        <li key={id}>
          {kind === "image" ? <img src={data} alt={name} /> : <span className="mono">{name}</span>}
          <span className="tiny faint num">{formatFileSize(size)}</span>
          {remove ? (
            <button type="button" className="plain" aria-label={t`Remove ${name}`} onClick={() => remove(id)}>
              ×
            </button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
