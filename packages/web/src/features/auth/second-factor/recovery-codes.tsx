import { t } from "@lingui/core/macro";
import { CopyBlock } from "#/components/ui/code/copy-block.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";

/** Shows new recovery codes, once, until the user says that they are kept. Closed while there are none. */
export function RecoveryCodes({ codes, close }: { codes: readonly string[]; close(): void }) {
  return (
    <Dialog
      open={codes.length > 0}
      onClose={close}
      dismissible={false}
      title={t`Keep these recovery codes`}
      description={t`Each logs you in once when your second factor is lost. They are not shown again.`}
    >
      <CopyBlock text={codes.join("\n")} />
      <div className="actions">
        <button type="button" className="btn primary" onClick={close}>
          {t`I have kept them`}
        </button>
      </div>
    </Dialog>
  );
}
