import type { LoginRequest, SecondFactorChallenge, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { paths } from "#/config/paths.ts";
import { useSession } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { CredentialsForm } from "./credentials-form.tsx";
import { isChallenge, SecondFactorForm } from "./second-factor/second-factor-form.tsx";

/** A login dialog over the current page, for a user whose session has expired. The page and its input are kept. */
export function SessionEndedDialog({ user }: { user: User }) {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const { startSession, resumeSession, clearSession } = useSession();
  const [challenge, setChallenge] = useState<SecondFactorChallenge | null>(null);

  async function completeSignIn(next: User): Promise<void> {
    if (next.id === user.id) return resumeSession(next);
    startSession(next); // another user must not see the previous user's page
    navigate(paths.home, { replace: true });
  }

  const login = useAction((credentials: LoginRequest) => feather.auth.login(credentials), {
    onSuccess: (answer) => (isChallenge(answer) ? setChallenge(answer) : completeSignIn(answer)),
  });

  return (
    <Dialog
      open
      onClose={() => {}}
      dismissible={false}
      role="alertdialog"
      title={t`Your session has ended`}
      description={t`Log in to go on. What you entered on this page is kept.`}
    >
      <div className="mt-4">
        {challenge ? (
          <SecondFactorForm challenge={challenge} onSignedIn={completeSignIn} />
        ) : (
          <CredentialsForm kind="login" submitLabel={t`Log in`} initialEmail={user.email} submit={login.submit} />
        )}
        <button
          type="button"
          className="plain mt-4"
          onClick={() => {
            clearSession();
            navigate(paths.login(pathname + search + hash), { replace: true });
          }}
        >
          {t`Leave this page and log in another way`}
        </button>
      </div>
    </Dialog>
  );
}
