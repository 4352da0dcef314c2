import {
  type EmailVerificationRequest,
  isApiError,
  type LinkCheck,
  type SecondFactorChallenge,
  type User,
} from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { useSession, useUser } from "#/entities/session/user.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { toSafeReturnTo } from "#/lib/navigation/return-to.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./confirm-email.module.css";
import { LinkUnusable } from "./link-unusable.tsx";
import { isChallenge, SecondFactorForm } from "./second-factor/second-factor-form.tsx";

const loadSchema = async () => (await import("#/entities/session/schemas.ts")).confirmEmailSchema;

type Props = { token: string; returnTo: string | null };

/**
 * The page behind the link of a confirmation mail. It redeems the link when asked to, not when it is opened: programs
 * that scan mail open links too.
 */
export function ConfirmEmail({ token, returnTo }: Props) {
  const { user, loading } = useUser();
  const { startSession } = useSession();
  const navigate = useNavigate();
  const [challenge, setChallenge] = useState<SecondFactorChallenge | null>(null);
  const link = useQuery({
    ...queries.auth.checkLink.queryOptions({ token, purpose: "email_verification" }),
    staleTime: Number.POSITIVE_INFINITY, // only this page redeems the link
    refetchOnWindowFocus: false,
  });

  function completeSignIn(user: User): void {
    startSession(user);
    navigate(toSafeReturnTo(returnTo), { replace: true });
  }

  const confirmation = useAction((body: EmailVerificationRequest) => feather.auth.verifyEmail(body), {
    showsError: true,
    onSuccess(result) {
      if (result && isChallenge(result)) setChallenge(result);
      else if (result) completeSignIn(result);
    },
  });
  if (challenge)
    return (
      <div className={styles.narrowForm}>
        <h1 className="h2">{t`Your e-mail is confirmed`}</h1>
        <p className="muted">{t`To go on, your account asks for its second factor.`}</p>
        <SecondFactorForm challenge={challenge} onSignedIn={completeSignIn} />
      </div>
    );
  if (isApiError(confirmation.error) && confirmation.error.code === "account_pending")
    return (
      <>
        <h1 className="h2">{t`Your e-mail is confirmed`}</h1>
        <p className="muted">{errorMessage(confirmation.error)}</p>
      </>
    );
  if (loading || link.isPending) return <Skeleton height={240} />;
  if (hasEnded(link.data, confirmation.error))
    return (
      <LinkUnusable reason={t`It was used, or has ended. A link works once, within an hour.`} returnTo={returnTo} />
    );
  const confirm = (password?: string) => confirmation.submit({ token, ...(password !== undefined && { password }) });
  const needsPassword = link.data?.proof === "password" || (link.data?.proof !== "browser" && user === null);
  return (
    <div className={styles.narrowForm}>
      <h1 className="h2">{t`Confirm your e-mail`}</h1>
      {needsPassword ? (
        <PasswordForm isRegistration={link.data?.proof === "password"} submit={confirm} />
      ) : (
        <>
          <p className="muted">
            {link.data?.proof === "browser"
              ? t`This works only in the browser in which you signed in with the provider.`
              : t`The address then belongs to the account that you are signed in to.`}
          </p>
          {confirmation.error ? <ErrorNotice error={confirmation.error} /> : null}
          <button
            type="button"
            className="btn primary full mt-6"
            disabled={confirmation.busy}
            aria-busy={confirmation.busy}
            onClick={() => void confirmation.run({ token })}
          >
            {confirmation.busy ? t`Please wait …` : t`Confirm`}
          </button>
        </>
      )}
    </div>
  );
}

/** Whether the link was used or has ended, as the server said before or when it was redeemed. */
function hasEnded(link: LinkCheck | undefined, error: unknown): boolean {
  return link?.usable === false || (isApiError(error) && error.code === "auth.invalid_token");
}

type PasswordFormProps = { isRegistration: boolean; submit(password: string): Promise<unknown> };

/** Asks for the password of the registration, which only the person who asked for the link knows. */
function PasswordForm({ isRegistration, submit }: PasswordFormProps) {
  return (
    <>
      <p className="muted">
        {isRegistration
          ? t`Enter the password that you chose when you signed up. If you did not sign up, close this page: nothing happens.`
          : t`Enter the password of the account that is to have this address.`}
      </p>
      <Form
        schema={loadSchema}
        initial={{ password: "" }}
        fields={[{ name: "password", label: t`Password`, type: "password", autoComplete: "current-password" }]}
        submitLabel={t`Confirm and log in`}
        submit={({ password }) => submit(password)}
      />
    </>
  );
}
