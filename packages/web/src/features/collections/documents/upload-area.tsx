import { t } from "@lingui/core/macro";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { feather } from "#/lib/feather.ts";
import styles from "./upload-area.module.css";
import { UploadList } from "./upload-list.tsx";
import { useUploads } from "./use-uploads.ts";

type Props = {
  collectionId: string;
  /** Runs after each document that was added. */
  added(): void;
  children: ReactNode;
};

/** Longer than the server may take to read a document. */
const TIMEOUT_MS = 330_000;
const ACCEPTED = "text/*,.pdf,.docx,.xlsx,.csv,.md,.json,.log,.yaml,.yml,.toml,.xml,.html";

/** Adds documents to a collection, chosen with a button or dropped on what is inside of the area. */
export function UploadArea({ collectionId, added, children }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isDraggedOver, setDraggedOver] = useState(false);
  const { uploads, add, clear } = useUploads(
    (file, signal) => feather.collections.documents.add(collectionId, { file }, { signal, timeout: TIMEOUT_MS }),
    added,
  );
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setDraggedOver(event.type === "dragover");
    if (event.type === "drop") add([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped here, and chosen with the button too
    <div className={styles.area} data-dragged={isDraggedOver} onDragOver={onDrag} onDragLeave={onDrag} onDrop={onDrag}>
      <div className="row wrapping mb-4">
        <button type="button" className="btn primary" onClick={() => input.current?.click()}>
          {t`Add documents`}
        </button>
        <span className="small muted">{t`Or drop them here: PDF, DOCX, XLSX and texts of 20 MB.`}</span>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          aria-label={t`Files`}
          accept={ACCEPTED}
          onChange={(event) => {
            add([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
      </div>
      <UploadList uploads={uploads} clear={clear} />
      {children}
    </div>
  );
}
