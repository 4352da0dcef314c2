import type { ResetPasswordRequest } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { NarrowPage } from "#/components/layouts/narrow-page.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { paths } from "#/config/paths.ts";
import { userQuery } from "#/entities/session/user.ts";
import { useLinkEnded } from "#/features/auth/use-link-ended.ts";
import { feather } from "#/lib/feather.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";

const loadRules = () => import("#/entities/session/schemas.ts");
const loadForgotSchema = async () => (await loadRules()).forgotPasswordSchema;
const loadResetSchema = async () => (await loadRules()).resetPasswordSchema;

/** Requests a reset link; opened with a token, asks for the new password. */
export default function ResetPasswordPage() {
  const [params] = useSearchParams();
  const token = params.get("token");
  return <NarrowPage>{token ? <NewPasswordForm token={token} /> : <RequestLinkForm />}</NarrowPage>;
}

function RequestLinkForm() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const sendsMail = useMailDelivery();
  const request = useAction((body: { email: string }) => feather.auth.forgotPassword(body), {
    onSuccess: (_, { email }) => setSentTo(email),
  });
  if (sentTo)
    return (
      <>
        <h1 className="h2">{sendsMail ? t`Look into your mail` : t`Ask for your link`}</h1>
        <p className="muted">
          {sendsMail ? (
            <Trans>
              If there is an account for <strong>{sentTo}</strong>, a link is on its way. It works once, within an hour.
            </Trans>
          ) : (
            <Trans>
              If there is an account for <strong>{sentTo}</strong>, its link is made. This server sends no mail: ask an
              admin for it within an hour. It works once.
            </Trans>
          )}
        </p>
        <p className="mt-6">
          <Link className="link" to={paths.login()}>
            {t`Back to logging in`}
          </Link>
        </p>
      </>
    );
  return (
    <>
      <h1 className="h2">{t`Reset password`}</h1>
      <p className="muted">
        {sendsMail
          ? t`We send you a link with which you choose a new one.`
          : t`This server sends no mail. Your link is made for its admins, who can pass it on to you.`}
      </p>
      <Form
        schema={loadForgotSchema}
        initial={{ email: "" }}
        fields={[
          {
            name: "email",
            label: t`E-mail`,
            type: "email",
            autoComplete: "username",
            inputMode: "email",
            autoFocus: true,
          },
        ]}
        submitLabel={sendsMail ? t`Send the link` : t`Make the link`}
        submit={request.submit}
      />
    </>
  );
}

function NewPasswordForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const reset = useAction((body: ResetPasswordRequest) => feather.auth.resetPassword(body), {
    success: () => t`The password is set`,
    async onSuccess(_result, _body, client) {
      // With a second factor the link alone does not sign in, so the user has to be refetched.
      await client.invalidateQueries({ queryKey: userQuery.queryKey });
      await navigate(paths.login(), { replace: true });
    },
  });
  const hasEnded = useLinkEnded(token, "password_reset");
  if (hasEnded)
    return (
      <>
        <h1 className="h2">{t`This link cannot be used`}</h1>
        <p className="muted">{t`It was used, has ended, or another one was used. A link works once, within an hour.`}</p>
        <Link className="btn primary full mt-6" to="/reset-password">
          {t`Ask for a new one`}
        </Link>
      </>
    );
  return (
    <>
      <h1 className="h2">{t`Choose a new password`}</h1>
      <p className="muted">{t`All other sessions of your account and links that were sent end, sign-in providers are disconnected, programs you allowed have to ask you again, and invitations you sent are withdrawn. Connect the providers anew afterwards. A second factor stays. Passkeys ask for the new password at their next use.`}</p>
      <Form
        schema={loadResetSchema}
        initial={{ password: "", end_keys: true }}
        fields={[
          {
            name: "password",
            label: t`New password`,
            type: "password",
            autoFocus: true,
            autoComplete: "new-password",
            hint: t`10 characters or more.`,
          },
          {
            name: "end_keys",
            kind: "check",
            label: t`End my API keys and deployment tokens`,
            hint: t`Keep this if somebody else may have known your password.`,
          },
        ]}
        submitLabel={t`Set the password`}
        submit={({ password, end_keys }) => reset.submit({ token, password, end_keys })}
      />
    </>
  );
}
