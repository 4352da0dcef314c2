import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { useToast } from "#/components/ui/toast.tsx";
import { paths } from "#/config/paths.ts";
import { type Challenge, isChallenge, SecondFactorForm } from "#/features/auth/second-factor-form.tsx";
import { type User, useSession, useUser } from "#/features/auth/user.ts";
import { wordsOf } from "#/lib/fault.ts";
import { feather } from "#/lib/feather.ts";
import { safeReturnTo } from "#/lib/return-to.ts";

/** Opened by the link of a message it confirms the address; otherwise it says what to do. */
export default function VerifyEmailPage() {
  const [params] = useSearchParams();
  const token = params.get("token");
  return token ? <Confirm token={token} returnTo={params.get("returnTo")} /> : <Waiting />;
}

function Confirm({ token, returnTo }: { token: string; returnTo: string | null }) {
  const { signedIn } = useSession();
  const navigate = useNavigate();
  const [challenge, setChallenge] = useState<Challenge | null>(null);

  function enter(user: User): void {
    signedIn(user);
    navigate(safeReturnTo(returnTo), { replace: true });
  }

  const { error } = useQuery({
    queryKey: ["user", "verify", token],
    queryFn: async () => {
      const answer = await feather.auth.verifyEmail({ token });
      if (answer && isChallenge(answer)) setChallenge(answer);
      else if (answer) enter(answer);
      return null;
    },
    staleTime: Number.POSITIVE_INFINITY, // the link works once
    refetchOnWindowFocus: false,
  });
  if (challenge)
    return (
      <div style={{ maxWidth: 420 }}>
        <h1 className="h2">{t`Your e-mail is confirmed`}</h1>
        <p className="mid">{t`To go on, your account asks for a code.`}</p>
        <SecondFactorForm challenge={challenge} done={enter} />
      </div>
    );
  if (!error) return <p className="mid">{t`One moment …`}</p>;
  return (
    <>
      <h1 className="h2">{t`This link does not work`}</h1>
      <p className="mid">{isApiError(error) ? wordsOf(error) : t`The server cannot be reached. Try again.`}</p>
      <p className="mt-6">
        <Link className="link" to="/account/verify-email">
          {t`Ask for a new one`}
        </Link>
      </p>
    </>
  );
}

function Waiting() {
  const { user } = useUser();
  const toast = useToast();
  const resend = useMutation({
    mutationFn: async () => feather.auth.verifyEmail({}),
    onSuccess: () => toast({ title: t`A message is on its way`, variant: "success" }),
    onError: (error) =>
      toast({ title: isApiError(error) ? wordsOf(error) : t`The server cannot be reached.`, variant: "destructive" }),
  });
  const address = user?.pending_email ?? user?.email;
  if (user?.email_verified && !user.pending_email)
    return (
      <>
        <h1 className="h2">{t`Your e-mail is confirmed`}</h1>
        <p className="mid">
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
      <p className="mid mt-2" style={{ maxWidth: "56ch" }}>
        <Trans>
          We sent a link to <strong>{address}</strong>. Open it to confirm that the address is yours; until then models
          cannot be called and keys cannot be made.
        </Trans>
      </p>
      <button type="button" className="btn primary mt-6" disabled={resend.isPending} onClick={() => resend.mutate()}>
        {resend.isPending ? t`Sending …` : t`Send it again`}
      </button>
    </>
  );
}
