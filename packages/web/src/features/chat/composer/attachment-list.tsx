import { plural, t } from "@lingui/core/macro";
import { useState } from "react";
import { formatCount } from "#/lib/format.ts";
import { estimateTokens } from "../answering/request.ts";
import styles from "../chat.module.css";
import { formatFileSize } from "../conversation/attachments.ts";
import type { Attachment } from "../conversation/types.ts";
import { AttachmentDialog } from "./attachment-dialog.tsx";

type Props = { attachments: readonly Attachment[]; remove?: (id: string) => void };

/** Lists attachments: images as previews, texts and documents by name. The text that goes to the model can be opened. */
export function AttachmentList({ attachments, remove }: Props) {
  const [opened, setOpened] = useState<Attachment | null>(null);
  if (attachments.length === 0) return null;
  return (
    <>
      <ul className={styles.attachments} aria-label={t`Files`}>
        {attachments.map((attachment) => {
          const { id, kind, name, data } = attachment;
          return (
            <li key={id}>
              {kind === "image" ? (
                <img src={data} alt={name} />
              ) : (
                <button type="button" className={`plain ${styles.fileName}`} onClick={() => setOpened(attachment)}>
                  <span className="mono">{name}</span>
                </button>
              )}
              <span className="tiny faint num">{describe(attachment)}</span>
              {remove ? (
                <button type="button" className="plain" aria-label={t`Remove ${name}`} onClick={() => remove(id)}>
                  ×
                </button>
              ) : null}
            </li>
          );
        })}
      </ul>
      <AttachmentDialog attachment={opened} onClose={() => setOpened(null)} />
    </>
  );
}

function describe({ kind, size, pages, data }: Attachment): string {
  const tokens = kind === "text" ? [t`about ${formatCount(estimateTokens(data))} tokens`] : [];
  const counted = typeof pages === "number" ? [plural(pages, { one: "# page", other: "# pages" })] : [];
  return [...counted, formatFileSize(size), ...tokens].join(" · ");
}
