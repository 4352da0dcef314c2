import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { CopyBlock } from "#/components/ui/code/copy-block.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { paths } from "#/config/paths.ts";

/** Shows the new secret of an endpoint, once. It closes only by its button. */
export function EndpointSecretDialog({ secret, close }: { secret: string | null; close(): void }) {
  return (
    <Dialog
      open={secret !== null}
      onClose={close}
      dismissible={false}
      title={t`The secret of the endpoint`}
      description={t`Copy it now. Once this closes, nobody can read it again. Your program checks with it that events come from here.`}
    >
      <CopyBlock text={secret ?? ""} />
      <p className="small mt-4">
        <Link className="link" to={paths.docs("webhooks")} target="_blank">
          {t`How to check a signature`}
        </Link>
      </p>
      <div className="actions">
        <button type="button" className="btn primary" onClick={close}>
          {t`I have copied it`}
        </button>
      </div>
    </Dialog>
  );
}
