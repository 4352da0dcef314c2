import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useRef } from "react";
import { Link, Navigate, useNavigate, useSearchParams } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { useAnalytics } from "#/features/analytics/context.ts";
import { CredentialsForm } from "#/features/auth/credentials-form.tsx";
import { ProviderButtons } from "#/features/auth/provider-buttons.tsx";
import { useSession, useUser } from "#/features/auth/user.ts";
import { feather } from "#/lib/feather.ts";
import { safeReturnTo } from "#/lib/return-to.ts";

export default function RegisterPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { user } = useUser();
  const { signedIn } = useSession();
  const analytics = useAnalytics();
  const setup = params.get("setup");
  const isNew = useRef(false);
  const returnTo = safeReturnTo(params.get("returnTo"));
  if (user && !isNew.current) return <Navigate to={returnTo} replace />;
  return (
    <div className="narrow">
      <h1 className="h2">{setup ? t`Make the first admin` : t`Sign up`}</h1>
      <p className="mid">
        {setup ? (
          t`This account runs the platform: it manages users, models and backends.`
        ) : (
          <Trans>
            Have an account?{" "}
            <Link className="link" to={paths.login(params.get("returnTo") ?? undefined)}>
              Log in
            </Link>
          </Trans>
        )}
      </p>
      <CredentialsForm
        kind="register"
        submitLabel={setup ? t`Make the admin` : t`Sign up`}
        submit={async (credentials) => {
          const { auth } = feather;
          const made = await (setup ? auth.setup({ token: setup, ...credentials }) : auth.register(credentials));
          isNew.current = true;
          signedIn(made);
          if (!setup) analytics.conversion({ kind: "sign_up" });
          // Who came for nothing in particular is shown around.
          navigate(setup || params.has("returnTo") ? returnTo : paths.onboarding, { replace: true });
        }}
      />
      {setup ? null : <ProviderButtons returnTo={returnTo} />}
    </div>
  );
}
