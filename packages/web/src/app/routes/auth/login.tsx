import type { LoginRequest, SecondFactorChallenge, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { Link, matchPath, Navigate, useLocation, useNavigate, useSearchParams } from "react-router-dom";
import { NarrowPage } from "#/components/layouts/narrow-page.tsx";
import { paths } from "#/config/paths.ts";
import { useSession, useUser } from "#/entities/session/user.ts";
import { CredentialsForm } from "#/features/auth/credentials-form.tsx";
import { ProviderButtons } from "#/features/auth/provider-buttons.tsx";
import { PasskeyButton } from "#/features/auth/second-factor/passkey-button.tsx";
import { isChallenge, SecondFactorForm } from "#/features/auth/second-factor/second-factor-form.tsx";
import { requestPasskey, usePasskeySupport } from "#/features/auth/second-factor/webauthn.ts";
import { feather } from "#/lib/feather.ts";
import { toSafeReturnTo } from "#/lib/navigation/return-to.ts";
import { useAction } from "#/lib/use-action.ts";

/** The login page, with second factor, passkeys and providers. Returns to `returnTo`. */
export default function LoginPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { user } = useUser();
  const { startSession } = useSession();
  const [challenge, setChallenge] = useState<SecondFactorChallenge | null>(null);
  const support = usePasskeySupport();
  const [{ hash, state }] = useState(useLocation()); // the initial one: the skip link sets another
  const returnToParam = params.get("returnTo");
  const returnTo = toSafeReturnTo(returnToParam);
  const login = useAction((credentials: LoginRequest) => feather.auth.login(credentials), {
    onSuccess: (answer) => (isChallenge(answer) ? setChallenge(answer) : finishSignIn(answer)),
  });
  // After a redirect by the server, the browser keeps the hash of the original URL: add it to `returnTo`.
  if (returnToParam !== null && hash !== "" && !returnToParam.includes("#")) {
    const search = new URLSearchParams(params);
    search.set("returnTo", returnToParam + hash);
    return <Navigate to={{ search: `?${search}` }} replace />;
  }
  if (user) return <Navigate to={returnTo} replace />;

  function finishSignIn(next: User): void {
    startSession(next);
    navigate(returnTo, { replace: true });
  }

  if (challenge)
    return (
      <NarrowPage>
        <h1 className="h2">{t`One more step`}</h1>
        <p className="muted">{t`Your account asks for a second factor besides the password.`}</p>
        <SecondFactorForm challenge={challenge} onSignedIn={finishSignIn} />
        <button type="button" className="plain mt-4" onClick={() => setChallenge(null)}>
          {t`Back`}
        </button>
      </NarrowPage>
    );
  return (
    <NarrowPage>
      <h1 className="h2">{t`Log in`}</h1>
      <p className="muted">
        <Trans>
          New here?{" "}
          <Link className="link" to={toRegister(returnToParam)}>
            Sign up
          </Link>
        </Trans>
      </p>
      <CredentialsForm
        kind="login"
        submitLabel={t`Log in`}
        submit={login.submit}
        initialEmail={readEmail(state)}
        passwordEnd={
          <Link className="link small" to="/reset-password">
            {t`Forgot it?`}
          </Link>
        }
      />
      {support === "yes" ? (
        <PasskeyButton label={t`Sign in with a passkey`} signIn={signInWithPasskey} onSignedIn={finishSignIn} />
      ) : null}
      <ProviderButtons returnTo={returnTo} />
    </NarrowPage>
  );
}

/** Who comes from an invitation signs up with it: for the address that it is for. */
function toRegister(returnTo: string | null): string {
  const token = matchPath("/invitations/:token", returnTo ?? "")?.params.token;
  return token === undefined ? paths.register(returnTo ?? undefined) : paths.registerWithInvitation(token);
}

/** Returns the e-mail address that the page before has passed on, such as that of an invitation. */
function readEmail(state: unknown): string | undefined {
  const { email } = (state ?? {}) as { email?: unknown };
  return typeof email === "string" ? email : undefined;
}

async function signInWithPasskey(): Promise<User> {
  const credential = await requestPasskey(await feather.auth.passkeys.beginSignIn());
  return feather.auth.passkeys.signIn({ credential });
}
