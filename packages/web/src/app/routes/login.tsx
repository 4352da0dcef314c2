import { Link, Navigate, useNavigate, useSearchParams } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { CredentialsForm } from "#/features/auth/credentials-form.tsx";
import { useSession, useUser } from "#/features/auth/user.ts";
import { feather } from "#/lib/feather.ts";
import { safeReturnTo } from "#/lib/return-to.ts";

export default function LoginPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { user } = useUser();
  const { signedIn } = useSession();
  const returnTo = safeReturnTo(params.get("returnTo"));
  if (user) return <Navigate to={returnTo} replace />;
  return (
    <div className="narrow">
      <h1 className="h2">Log in</h1>
      <p className="mid">
        New here?{" "}
        <Link className="link" to={paths.register(params.get("returnTo") ?? undefined)}>
          Sign up
        </Link>
      </p>
      <CredentialsForm
        kind="login"
        submitLabel="Log in"
        submit={({ email, password }) =>
          feather.auth.login({ email, password }).then((answer) => answer as NonNullable<typeof user>)
        }
        done={(next) => {
          signedIn(next);
          navigate(returnTo, { replace: true });
        }}
        passwordEnd={
          <Link className="link small" to="/reset-password" tabIndex={0}>
            Forgot it?
          </Link>
        }
      />
    </div>
  );
}
