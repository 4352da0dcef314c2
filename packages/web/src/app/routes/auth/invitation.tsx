import type { InvitationPreview, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "react-router-dom";
import { NarrowPage } from "#/components/layouts/narrow-page.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { useSession, useUser } from "#/entities/session/user.ts";
import { describeInvitation, invitationQuery } from "#/features/auth/invitation.ts";
import { getRoleLabel } from "#/features/organization/roles.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { siteConfigQuery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";

/** The target of the link in an invitation mail, signed in or not. */
export default function InvitationPage() {
  const { token = "" } = useParams();
  const { user, loading } = useUser();
  const invitation = useQuery(invitationQuery(token));
  if (invitation.error && invitation.data === undefined)
    return (
      <NarrowPage>
        <LoadError subject={t`The invitation`} error={invitation.error} retry={() => void invitation.refetch()} />
      </NarrowPage>
    );
  return (
    <NarrowPage>
      {invitation.data === undefined || loading ? (
        <Skeleton height={240} />
      ) : invitation.data === null ? (
        <InvitationEnded isSignedIn={user !== null} />
      ) : (
        <InvitationDetails token={token} invitation={invitation.data} user={user} />
      )}
    </NarrowPage>
  );
}

function InvitationEnded({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <>
      <h1 className="h2">{t`This invitation cannot be used`}</h1>
      <p className="muted mt-3">{t`It was used, withdrawn, or has ended. Ask whoever sent it for a new one.`}</p>
      <Link className="btn full mt-4" to={isSignedIn ? paths.account : paths.login()}>
        {isSignedIn ? t`To your account` : t`Log in`}
      </Link>
    </>
  );
}

type Props = { token: string; invitation: InvitationPreview; user: User | null };

function InvitationDetails({ token, invitation, user }: Props) {
  const config = useQuery(siteConfigQuery).data;
  const { organization, role, email } = invitation;
  return (
    <>
      <h1 className="h2 user-text">{organization === null ? t`You are invited` : t`Join ${organization}`}</h1>
      <p className="muted mt-3 user-text">{describeInvitation(invitation, config?.product_name ?? t`this site`)}</p>
      {role === null ? null : (
        <p className="muted mt-2">{t`Your role: ${getRoleLabel(role)}. You share its plan, keys, usage and deployments from then on, and act for it until you switch back.`}</p>
      )}
      {user ? (
        <JoinForm token={token} email={email} user={user} />
      ) : (
        <SignUpOrLogIn
          token={token}
          email={email}
          canSignUp={organization === null || config?.registration !== "invite"}
        />
      )}
    </>
  );
}

/** `canSignUp` is false where an account can only be made with an admin's invitation. */
function SignUpOrLogIn({ token, email, canSignUp }: { token: string; email: string; canSignUp: boolean }) {
  return (
    <>
      <p className="small faint mt-4 user-text">{t`It is for ${email}.`}</p>
      {canSignUp ? (
        <Link className="btn primary full mt-4" to={paths.registerWithInvitation(token)}>
          {t`Sign up`}
        </Link>
      ) : (
        <p className="muted mt-4">{t`Accounts are made by invitation of an admin here: ask one, if you have no account yet.`}</p>
      )}
      <Link className="btn full mt-3" to={paths.login(paths.invitation(token))} state={{ email }}>
        {t`I have an account: log in`}
      </Link>
    </>
  );
}

function JoinForm({ token, email, user }: { token: string; email: string; user: User }) {
  const { startSession } = useSession();
  const navigate = useNavigate();
  const { run, busy, error } = useAction(() => feather.organization.invitations.accept(token), {
    showsError: true,
    success: ({ organization }) => t`You joined ${organization.name}`,
    onSuccess(joined) {
      startSession(joined);
      return navigate(paths.organization, { replace: true });
    },
  });
  const isOther = user.email.toLowerCase() !== email.toLowerCase();

  return (
    <>
      {error === null ? null : (
        <p className="notice mt-4" role="alert">
          {errorMessage(error)}
        </p>
      )}
      <p className="small faint mt-4 user-text">
        {isOther
          ? t`It is for ${email}, and you are signed in as ${user.email}. Log in with the other account to join.`
          : t`Signed in as ${user.email}.`}
      </p>
      {isOther ? null : (
        <button
          type="button"
          className="btn primary full mt-4"
          disabled={busy}
          aria-busy={busy}
          onClick={() => void run()}
        >
          {busy ? t`Please wait …` : t`Join`}
        </button>
      )}
      <Link className="btn full mt-3" to={paths.account}>
        {t`Not now`}
      </Link>
    </>
  );
}
