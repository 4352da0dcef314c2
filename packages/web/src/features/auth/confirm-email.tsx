import { isApiError, type SecondFactorChallenge, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { useSession, useUser } from "#/entities/session/user.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { toSafeReturnTo } from "#/lib/return-to.ts";
import styles from "./confirm-email.module.css";
import { isChallenge, SecondFactorForm } from "./second-factor-form.tsx";

/** Redeems the link of a confirmation mail and signs its user in. */
export function ConfirmEmail({ token, returnTo }: { token: string; returnTo: string | null }) {
  const { user } = useUser();
  const { startSession } = useSession();
  const navigate = useNavigate();
  const [challenge, setChallenge] = useState<SecondFactorChallenge | null>(null);

  function completeSignIn(user: User): void {
    startSession(user);
    navigate(toSafeReturnTo(returnTo), { replace: true });
  }

  const { error } = useQuery({
    queryKey: queries.auth.verifyEmail.key({ token }),
    meta: { keepOnSignIn: true },
    queryFn: async () => {
      const result = await feather.auth.verifyEmail({ token });
      if (result && isChallenge(result)) setChallenge(result);
      else if (result) completeSignIn(result);
      return null;
    },
    staleTime: Number.POSITIVE_INFINITY, // the link works once
    refetchOnWindowFocus: false,
  });
  if (challenge)
    return (
      <div className={styles.narrowForm}>
        <h1 className="h2">{t`Your e-mail is confirmed`}</h1>
        <p className="mid">{t`To go on, your account asks for its second factor.`}</p>
        <SecondFactorForm challenge={challenge} onSignedIn={completeSignIn} />
      </div>
    );
  if (!error) return <p className="mid">{t`Please wait …`}</p>;
  if (isApiError(error) && error.code === "account_pending")
    return (
      <>
        <h1 className="h2">{t`Your e-mail is confirmed`}</h1>
        <p className="mid">{errorMessage(error)}</p>
      </>
    );
  return (
    <>
      <h1 className="h2">{t`This link does not work`}</h1>
      <p className="mid">{errorMessage(error)}</p>
      <p className="mt-6">
        {user ? (
          <Link className="link" to={paths.verifyEmail}>
            {t`Ask for a new one`}
          </Link>
        ) : (
          <Link className="link" to={paths.register(returnTo ?? undefined)}>
            {t`Sign up again for a new one`}
          </Link>
        )}
      </p>
    </>
  );
}
