import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from "react-router-dom";
import { Skeleton } from "#/components/ui/bits.tsx";
import { paths } from "#/config/paths.ts";
import { useAnalytics } from "#/features/analytics/context.ts";
import { CredentialsForm } from "#/features/auth/credentials-form.tsx";
import { type InvitationPreview, invitationQuery, invitationSentence } from "#/features/auth/invitation.ts";
import { useLinkEnded } from "#/features/auth/link-state.ts";
import { ProviderButtons } from "#/features/auth/provider-buttons.tsx";
import { isWaiting, register, type Waits } from "#/features/auth/register.ts";
import { type User, useSession, useUser } from "#/features/auth/user.ts";
import { useReferralStore } from "#/features/referral/context.ts";
import { feather } from "#/lib/feather.ts";
import { safeReturnTo } from "#/lib/return-to.ts";
import { siteConfigQuery } from "#/lib/site-config.ts";

/** The sign-up page; depends on the registration mode, an invitation, or a set-up token for the first admin. */
export default function RegisterPage() {
  const [params] = useSearchParams();
  const { user } = useUser();
  const isNew = useRef(false);
  const setup = params.get("setup");
  const token = params.get("invitation");
  const invitation = useQuery({ ...invitationQuery(token ?? ""), enabled: token !== null });
  const mode = useQuery(siteConfigQuery).data?.registration ?? "open";
  if (user && !isNew.current) return <Navigate to={safeReturnTo(params.get("returnTo"))} replace />;
  const made = () => {
    isNew.current = true;
  };
  if (setup !== null) return <FirstAdmin token={setup} made={made} />;
  if (token !== null && invitation.isPending)
    return (
      <div className="narrow">
        <Skeleton height={240} />
      </div>
    );
  const invited = invitation.data ?? null;
  if (mode === "off")
    return (
      <Closed title={t`Sign-up is closed`}>{t`Nobody can make an account here. Ask the operator of this site.`}</Closed>
    );
  if (token !== null && invited === null)
    return (
      <Closed title={t`This invitation cannot be used`}>
        {t`It was used, withdrawn, or has ended. Ask whoever sent it for a new one.`}
      </Closed>
    );
  if (mode === "invite" && invited === null)
    return (
      <Closed title={t`Sign-up is by invitation`} providers>
        {t`Ask an admin of this site to invite your e-mail address. If you were invited, open the link in the message.`}
      </Closed>
    );
  const waits = mode === "approve" && invited?.kind !== "platform";
  return <SignUp invitation={invited} token={token} needsApproval={waits} made={made} />;
}

/** Shown if the visitor cannot sign up; with a link to the login, and to the providers on request. */
function Closed({ title, children, providers = false }: { title: string; children: ReactNode; providers?: boolean }) {
  return (
    <div className="narrow">
      <h1 className="h2">{title}</h1>
      <p className="mid">{children}</p>
      <Link className="btn full mt-6" to={paths.login()}>
        {t`Log in`}
      </Link>
      {providers ? <ProviderButtons returnTo={paths.home} /> : null}
    </div>
  );
}

function FirstAdmin({ token, made }: { token: string; made(): void }) {
  const navigate = useNavigate();
  const { signedIn } = useSession();
  const ended = useLinkEnded(token, "setup");
  if (ended)
    return (
      <Closed title={t`This link cannot be used`}>
        {t`There is an admin already, or the link has ended. Without an admin, each start of the server prints a new link.`}
      </Closed>
    );
  return (
    <div className="narrow">
      <h1 className="h2">{t`Make the first admin`}</h1>
      <p className="mid">{t`This account runs the platform: it manages users, models and backends.`}</p>
      <CredentialsForm
        kind="register"
        submitLabel={t`Make the admin`}
        submit={async (credentials) => {
          const user = await feather.auth.setup({ token, ...credentials });
          made();
          signedIn(user);
          navigate(paths.home, { replace: true });
        }}
      />
    </div>
  );
}

type Props = { invitation: InvitationPreview | null; token: string | null; needsApproval: boolean; made(): void };

function SignUp({ invitation, token, needsApproval, made }: Props) {
  const [params] = useSearchParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const { signedIn } = useSession();
  const analytics = useAnalytics();
  const referral = useReferralStore();
  const product = useQuery(siteConfigQuery).data?.product_name ?? t`this site`;
  const [waiting, setWaiting] = useState<{ email: string; next: Waits["next"] } | null>(null);
  const wanted = params.get("returnTo");
  const friend = referral.get();
  // Without a target, a new user starts with the onboarding.
  const next = () => {
    if (invitation?.kind === "organization" && token !== null) return paths.invitation(token);
    return wanted === null ? paths.onboarding : safeReturnTo(wanted);
  };

  async function submit(credentials: { email: string; password: string }): Promise<void> {
    const returnTo = wanted === null ? null : safeReturnTo(wanted);
    const answer = await register(credentials, { returnTo, invitation: token, search });
    made();
    analytics.conversion({ kind: "sign_up" });
    if (isWaiting(answer)) return setWaiting({ email: credentials.email, next: answer.next });
    analytics.alias(answer.id); // links events before sign-up to the new account
    signedIn(answer satisfies User);
    navigate(next(), { replace: true });
  }

  if (waiting) return <WhatNow {...waiting} needsApproval={needsApproval} />;
  return (
    <div className="narrow">
      <h1 className="h2">{t`Sign up`}</h1>
      {invitation ? <p className="mid stranger">{invitationSentence(invitation, product)}</p> : null}
      <p className="mid">
        <Trans>
          Have an account?{" "}
          <Link
            className="link"
            to={paths.login(
              invitation?.kind === "organization" && token ? paths.invitation(token) : (wanted ?? undefined),
            )}
          >
            Log in
          </Link>
        </Trans>
      </p>
      {friend === null ? null : (
        <p className="mid mt-3 stranger">
          <Trans>A friend sent you. Their code: {friend}</Trans>
        </p>
      )}
      {needsApproval ? (
        <p className="notice mt-4">{t`An admin lets new accounts in. You get a message once yours is.`}</p>
      ) : null}
      <CredentialsForm kind="register" submitLabel={t`Sign up`} known={invitation?.email} submit={submit} />
      <ProviderButtons returnTo={next()} />
    </div>
  );
}

/** Shown after sign-up if the account still needs confirmation or approval. */
function WhatNow({ email, next, needsApproval }: { email: string; next: Waits["next"]; needsApproval: boolean }) {
  return (
    <div className="narrow">
      <h1 className="h2">{next === "confirm_email" ? t`Look into your mail` : t`Your account waits for approval`}</h1>
      <p className="mid stranger">
        {next === "confirm_email" ? (
          <Trans>
            A message is on its way to <strong>{email}</strong>. Open the link in it within an hour to confirm the
            address; that also logs you in.
          </Trans>
        ) : (
          <Trans>
            An admin has to let <strong>{email}</strong> in. You get a message there once that is done.
          </Trans>
        )}
      </p>
      {next === "confirm_email" && needsApproval ? (
        <p className="mid mt-3">{t`After that an admin has to let you in.`}</p>
      ) : null}
    </div>
  );
}
