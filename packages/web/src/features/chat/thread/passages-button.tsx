import type { SentPassage } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useState } from "react";
import { Sheet } from "#/components/ui/dialogs/sheet.tsx";
import styles from "../answering/cited/cited-answer.module.css";
import { nameSource } from "../conversation/passage-source.ts";
import type { Attachment } from "../conversation/types.ts";

type Props = { passages: readonly SentPassage[]; attachments: readonly Attachment[] };

/** Says with how many passages a question was sent, of how many where they are of its own files, and shows them. */
export function PassagesButton({ passages, attachments }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (passages.length === 0) return <span>{describe(passages, attachments)}</span>;
  return (
    <>
      <button type="button" className="plain" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {describe(passages, attachments)}
      </button>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t`Passages that were sent`}>
        <ol className="mt-4">
          {passages.map((passage, index) => (
            <li key={`${passage.document_id} ${passage.number}`} className="mb-5">
              <p className="small muted user-text mb-4">{`[${index + 1}] ${nameSource(passage)}`}</p>
              <blockquote className={styles.passage} dir="auto">
                {passage.text}
              </blockquote>
            </li>
          ))}
        </ol>
      </Sheet>
    </>
  );
}

function describe(passages: readonly SentPassage[], attachments: readonly Attachment[]): string {
  const ids = new Set(attachments.map(({ id }) => id));
  const total = attachments.reduce((sum, { passages: count }) => sum + (count ?? 0), 0);
  const count = passages.length;
  if (total > 0 && passages.every(({ document_id }) => ids.has(document_id)))
    return t`${count} of ${total} passages were sent`;
  return count === 0
    ? t`nothing about this was found in the collections`
    : plural(count, { one: "sent with # passage", other: "sent with # passages" });
}
