import type { InvitationPreview, RegistrationResult, SetupRequest, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from "react-router-dom";
import { NarrowPage } from "#/components/layouts/narrow-page.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { useSession, useUser } from "#/entities/session/user.ts";
import { useAnalytics } from "#/features/analytics/context.ts";
import { CredentialsForm } from "#/features/auth/credentials-form.tsx";
import { describeInvitation, invitationQuery } from "#/features/auth/invitation.ts";
import { ProviderButtons } from "#/features/auth/provider-buttons.tsx";
import { isPendingRegistration, register } from "#/features/auth/register.ts";
import { useLinkEnded } from "#/features/auth/use-link-ended.ts";
import { useReferralStore } from "#/features/referral/referral-context.ts";
import { feather } from "#/lib/feather.ts";
import { toSafeReturnTo } from "#/lib/navigation/return-to.ts";
import { siteConfigQuery, useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";

/** The sign-up page; depends on the registration mode, an invitation, or a set-up token for the first admin. */
export default function RegisterPage() {
  const [params] = useSearchParams();
  const { user } = useUser();
  const isNew = useRef(false);
  const setup = params.get("setup");
  const token = params.get("invitation");
  const invitation = useQuery({ ...invitationQuery(token ?? ""), enabled: token !== null });
  const mode = useQuery(siteConfigQuery).data?.registration ?? "open";
  if (user && !isNew.current) return <Navigate to={toSafeReturnTo(params.get("returnTo"))} replace />;
  const onCreated = () => {
    isNew.current = true;
  };
  if (setup !== null) return <FirstAdmin token={setup} onCreated={onCreated} />;
  if (token !== null && invitation.isPending)
    return (
      <NarrowPage>
        <Skeleton height={240} />
      </NarrowPage>
    );
  const invited = invitation.data ?? null;
  if (mode === "off")
    return (
      <SignUpClosed
        title={t`Sign-up is closed`}
      >{t`Nobody can make an account here. Ask the operator of this site.`}</SignUpClosed>
    );
  if (token !== null && invited === null)
    return (
      <SignUpClosed title={t`This invitation cannot be used`}>
        {t`It was used, withdrawn, or has ended. Ask whoever sent it for a new one.`}
      </SignUpClosed>
    );
  if (mode === "invite" && invited === null)
    return (
      <SignUpClosed title={t`Sign-up is by invitation`} providers>
        {t`Ask an admin of this site to invite your e-mail address. If you were invited, open the link that you got.`}
      </SignUpClosed>
    );
  const needsApproval = mode === "approve" && invited?.kind !== "platform";
  return <SignUp invitation={invited} token={token} needsApproval={needsApproval} onCreated={onCreated} />;
}

/** Shown if the visitor cannot sign up; with a link to the login, and to the providers on request. */
function SignUpClosed({
  title,
  children,
  providers = false,
}: {
  title: string;
  children: ReactNode;
  providers?: boolean;
}) {
  return (
    <NarrowPage>
      <h1 className="h2">{title}</h1>
      <p className="muted">{children}</p>
      <Link className="btn full mt-6" to={paths.login()}>
        {t`Log in`}
      </Link>
      {providers ? <ProviderButtons returnTo={paths.home} /> : null}
    </NarrowPage>
  );
}

function FirstAdmin({ token, onCreated }: { token: string; onCreated(): void }) {
  const navigate = useNavigate();
  const { startSession } = useSession();
  const hasEnded = useLinkEnded(token, "setup");
  const setup = useAction((body: SetupRequest) => feather.auth.setup(body), {
    onSuccess(user) {
      onCreated();
      startSession(user);
      return navigate(paths.home, { replace: true });
    },
  });
  if (hasEnded)
    return (
      <SignUpClosed title={t`This link cannot be used`}>
        {t`There is an admin already, or the link has ended. Without an admin, each start of the server prints a new link.`}
      </SignUpClosed>
    );
  return (
    <NarrowPage>
      <h1 className="h2">{t`Make the first admin`}</h1>
      <p className="muted">{t`This account runs the platform: it manages users, models and backends.`}</p>
      <CredentialsForm
        kind="register"
        submitLabel={t`Make the admin`}
        submit={(credentials) => setup.submit({ token, ...credentials })}
      />
    </NarrowPage>
  );
}

type Props = { invitation: InvitationPreview | null; token: string | null; needsApproval: boolean; onCreated(): void };

function SignUp({ invitation, token, needsApproval, onCreated }: Props) {
  const [params] = useSearchParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const { startSession } = useSession();
  const analytics = useAnalytics();
  const referral = useReferralStore();
  const product = useQuery(siteConfigQuery).data?.product_name ?? t`this site`;
  const sendsMail = useMailDelivery();
  const [waiting, setWaiting] = useState<{ email: string; next: RegistrationResult["next"] } | null>(null);
  const returnToParam = params.get("returnTo");
  const referralCode = referral.get();
  // Without a target, a new user starts with the onboarding.
  const next = () => {
    if (invitation?.kind === "organization" && token !== null) return paths.invitation(token);
    return returnToParam === null ? paths.onboarding : toSafeReturnTo(returnToParam);
  };

  const registration = useAction(
    (credentials: { email: string; password: string }) =>
      register(credentials, {
        returnTo: returnToParam === null ? null : toSafeReturnTo(returnToParam),
        invitation: token,
        search,
      }),
    {
      onSuccess(answer, { email }) {
        onCreated();
        analytics.conversion({ kind: "sign_up" });
        if (isPendingRegistration(answer)) return setWaiting({ email, next: answer.next });
        analytics.alias(answer.id); // links events before sign-up to the new account
        startSession(answer satisfies User);
        return navigate(next(), { replace: true });
      },
    },
  );

  if (waiting) return <NextSteps {...waiting} needsApproval={needsApproval} />;
  return (
    <NarrowPage>
      <h1 className="h2">{t`Sign up`}</h1>
      {invitation ? <p className="muted user-text">{describeInvitation(invitation, product)}</p> : null}
      <p className="muted">
        <Trans>
          Have an account?{" "}
          <Link
            className="link"
            to={paths.login(
              invitation?.kind === "organization" && token ? paths.invitation(token) : (returnToParam ?? undefined),
            )}
          >
            Log in
          </Link>
        </Trans>
      </p>
      {referralCode === null ? null : (
        <p className="muted mt-3 user-text">
          <Trans>A friend sent you. Their code: {referralCode}</Trans>
        </p>
      )}
      {needsApproval ? (
        <p className="notice mt-4">
          {sendsMail
            ? t`An admin lets new accounts in. You get a message once yours is.`
            : t`An admin lets new accounts in. This server sends no mail: log in later to see whether yours is.`}
        </p>
      ) : null}
      <CredentialsForm
        kind="register"
        submitLabel={t`Sign up`}
        initialEmail={invitation?.email}
        submit={registration.submit}
      />
      <ProviderButtons returnTo={next()} />
    </NarrowPage>
  );
}

/** Shown after sign-up if the account still needs confirmation or approval. */
function NextSteps({
  email,
  next,
  needsApproval,
}: {
  email: string;
  next: RegistrationResult["next"];
  needsApproval: boolean;
}) {
  const sendsMail = useMailDelivery();
  return (
    <NarrowPage>
      <h1 className="h2">{next === "confirm_email" ? t`Look into your mail` : t`Your account waits for approval`}</h1>
      <p className="muted user-text">
        {next === "confirm_email" ? (
          <Trans>
            A message is on its way to <strong>{email}</strong>. Open the link in it within an hour, and enter your
            password there once more; that also logs you in.
          </Trans>
        ) : !sendsMail ? (
          <Trans>
            An admin has to let <strong>{email}</strong> in. This server sends no mail: log in later to see whether that
            is done.
          </Trans>
        ) : (
          <Trans>
            An admin has to let <strong>{email}</strong> in. You get a message there once that is done.
          </Trans>
        )}
      </p>
      {next === "confirm_email" && needsApproval ? (
        <p className="muted mt-3">{t`After that an admin has to let you in.`}</p>
      ) : null}
    </NarrowPage>
  );
}
