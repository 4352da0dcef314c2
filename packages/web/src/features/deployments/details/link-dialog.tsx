import { t } from "@lingui/core/macro";
import { CopyBlock } from "#/components/ui/code/copy-block.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { createDateFormat } from "#/lib/format.ts";

/** A one-time link and when it expires. */
export type LoginLink = { url: string; expires_at: Date };

type LinkDialogProps = { name: string; link: LoginLink | null; close(): void };

const timeFormat = createDateFormat({ timeStyle: "short" });

/** Shows a one-time link. */
export function LinkDialog({ name, link, close }: LinkDialogProps) {
  return (
    <Dialog
      open={link !== null}
      onClose={close}
      dismissible={false}
      title={t`One-time link to ${name}`}
      description={t`Whoever opens it first gets a token for an hour. It works once, until ${link ? timeFormat.format(link.expires_at) : ""}.`}
    >
      <CopyBlock text={link?.url ?? ""} />
      <div className="actions">
        <button type="button" className="btn primary" onClick={close}>
          {t`I have copied it`}
        </button>
      </div>
    </Dialog>
  );
}
