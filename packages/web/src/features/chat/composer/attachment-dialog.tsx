import { t } from "@lingui/core/macro";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import styles from "../chat.module.css";
import type { Attachment } from "../conversation/types.ts";

/** Shows the text of an attachment as it goes to the model. Closed without one. */
export function AttachmentDialog({ attachment, onClose }: { attachment: Attachment | null; onClose(): void }) {
  return (
    <Dialog open={attachment !== null} onClose={onClose} title={attachment?.name ?? t`File`}>
      <pre className={styles.fileText} dir="auto">
        {attachment?.data}
      </pre>
    </Dialog>
  );
}
