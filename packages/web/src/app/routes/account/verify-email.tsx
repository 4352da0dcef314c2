import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link, useSearchParams } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";
import { ConfirmEmail } from "#/features/auth/confirm-email.tsx";
import { feather } from "#/lib/feather.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./verify-email.module.css";

/** With a token from the mail it confirms the address; without one it explains what to do. */
export default function VerifyEmailPage() {
  const [params] = useSearchParams();
  const token = params.get("token");
  return token ? <ConfirmEmail token={token} returnTo={params.get("returnTo")} /> : <AwaitingConfirmation />;
}

function AwaitingConfirmation() {
  const { user } = useUser();
  const sendsMail = useMailDelivery();
  const resending = useAction(() => feather.auth.verifyEmail({}), {
    success: () => (sendsMail ? t`A message is on its way` : t`A new link is made`),
  });
  const address = user?.pending_email ?? user?.email;
  if (user?.email_verified && !user.pending_email)
    return (
      <>
        <h1 className="h2">{t`Your e-mail is confirmed`}</h1>
        <p className="muted">
          <Trans>
            Nothing is left to do.{" "}
            <Link className="link" to={paths.account}>
              To your account
            </Link>
          </Trans>
        </p>
      </>
    );
  return (
    <>
      <h1 className="h2">{t`Email verification required`}</h1>
      <p className={`muted mt-2 ${styles.intro}`}>
        {sendsMail ? (
          <Trans>
            We sent a link to <strong>{address}</strong>. Open it to confirm that the address is yours; until then
            models cannot be called and keys cannot be made.
          </Trans>
        ) : (
          <Trans>
            This server sends no mail: the link for <strong>{address}</strong> is with its admins. Ask one for it; until
            it is opened, models cannot be called and keys cannot be made.
          </Trans>
        )}
      </p>
      <button type="button" className="btn primary mt-6" disabled={resending.busy} onClick={() => void resending.run()}>
        {resending.busy ? t`Please wait …` : sendsMail ? t`Send it again` : t`Make a new link`}
      </button>
    </>
  );
}
