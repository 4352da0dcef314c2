import { t } from "@lingui/core/macro";
import { CopyBlock } from "../code/copy-block.tsx";
import { Dialog } from "./dialog.tsx";

type Props = { title: string; description: string; link: string | null; close(): void };

/** Shows a link that is shown once, to be copied; open while there is one. Closes by its button alone. */
export function LinkDialog({ title, description, link, close }: Props) {
  return (
    <Dialog open={link !== null} onClose={close} dismissible={false} title={title} description={description}>
      <div className="mt-4">
        <CopyBlock text={link ?? ""} />
      </div>
      <div className="actions">
        <button type="button" className="btn primary" onClick={close}>
          {t`Done`}
        </button>
      </div>
    </Dialog>
  );
}
