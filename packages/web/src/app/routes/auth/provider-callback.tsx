import { isApiError, type SecondFactorChallenge, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useNavigate, useParams, useSearchParams } from "react-router-dom";
import { NarrowPage } from "#/components/layouts/narrow-page.tsx";
import { paths } from "#/config/paths.ts";
import { useSession, useUser } from "#/entities/session/user.ts";
import { popReturnTo } from "#/features/auth/provider-return.ts";
import { isChallenge, SecondFactorForm } from "#/features/auth/second-factor/second-factor-form.tsx";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";

/** Where a sign-in provider redirects the browser to after authentication. */
export default function ProviderCallbackPage() {
  const { provider = "" } = useParams();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { startSession } = useSession();
  const { user } = useUser();
  const [challenge, setChallenge] = useState<SecondFactorChallenge | null>(null);
  const [code, state] = ["code", "state"].map((name) => params.get(name));
  const providerError = useProviderError();
  const iss = params.get("iss");

  function finishSignIn(user: User): void {
    startSession(user);
    navigate(popReturnTo(), { replace: true });
  }

  const { error } = useQuery({
    queryKey: queries.auth.callback.key(provider, { code: code ?? "", state: state ?? "" }),
    meta: { keepOnSignIn: true },
    enabled: Boolean(code && state),
    queryFn: async () => {
      const answer = await feather.auth.callback(provider, {
        code: code ?? "",
        state: state ?? "",
        ...(iss !== null && { iss }),
      });
      if (isChallenge(answer)) setChallenge(answer);
      else finishSignIn(answer);
      return null;
    },
    staleTime: Number.POSITIVE_INFINITY, // the code works once
    refetchOnWindowFocus: false,
  });

  if (challenge)
    return (
      <NarrowPage>
        <h1 className="h2">{t`One more step`}</h1>
        <p className="muted">{t`Your account asks for a second factor besides.`}</p>
        <SecondFactorForm challenge={challenge} onSignedIn={finishSignIn} />
      </NarrowPage>
    );
  if (!error && !providerError && code && state)
    return (
      <NarrowPage>
        <p className="muted">{t`Signing in …`}</p>
      </NarrowPage>
    );
  if (isApiError(error) && error.code === "sign_in_providers.confirm_email")
    return (
      <NarrowPage>
        <h1 className="h2">{t`Look into your mail`}</h1>
        <p className="muted">{errorMessage(error)}</p>
      </NarrowPage>
    );
  if (user && !error && !providerError)
    return (
      <NarrowPage>
        <h1 className="h2">{t`Nothing to finish here`}</h1>
        <p className="muted">{t`You are signed in as ${user.email}, and no sign-in is under way.`}</p>
        <Link className="btn full mt-6" to={paths.account}>
          {t`To your account`}
        </Link>
      </NarrowPage>
    );
  return (
    <NarrowPage>
      <h1 className="h2">{user ? t`That did not work` : t`You are not signed in`}</h1>
      <p className="muted user-text">{describeFailure(error, providerError)}</p>
      {isApiError(error) && error.code === "auth.email_taken" ? (
        <Link className="btn full mt-6" to={paths.login(paths.profile)}>
          {t`Log in and connect it`}
        </Link>
      ) : user ? (
        <Link className="btn full mt-6" to={paths.account}>
          {t`To your account`}
        </Link>
      ) : (
        <Link className="btn full mt-6" to={paths.login()}>
          {t`Back to logging in`}
        </Link>
      )}
    </NarrowPage>
  );
}

/** The error of OAuth with which the provider has sent the browser back. The alert of every page has taken it out of the URL. */
function useProviderError(): string | null {
  const [params] = useSearchParams();
  const { error } = (useLocation().state ?? {}) as { error?: unknown };
  return params.get("error") ?? (typeof error === "string" ? error : null);
}

function describeFailure(error: unknown, providerError: string | null): string {
  if (error) return errorMessage(error);
  if (providerError === "access_denied") return t`You did not allow it there. Nothing has changed.`;
  if (providerError !== null)
    return t`The provider refused with “${providerError}”. Try again, and tell the operator of this site if it stays so.`;
  return t`The provider sent nothing to sign in with. Start again from the login.`;
}
