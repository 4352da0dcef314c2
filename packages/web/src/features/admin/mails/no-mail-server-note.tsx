import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { AsideNote } from "#/components/ui/feedback/aside-note.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { useMailDelivery } from "#/lib/site-config.ts";

/** Says that mails stay in the outbox; nothing where a mail server is set. */
export function NoMailServerNote() {
  if (useMailDelivery()) return null;
  return (
    <AsideNote role="note">
      <Trans>
        No mail server is set, so mails stay in the{" "}
        <Link className="link" to={adminPaths.outbox()}>
          outbox
        </Link>
        . The setting{" "}
        <Link className="link mono" to={adminPaths.setting("SMTP_URL")}>
          SMTP_URL
        </Link>{" "}
        names one;{" "}
        <Link className="link" to="/docs/sign-in-and-mail">
          how
        </Link>
        .
      </Trans>
    </AsideNote>
  );
}
