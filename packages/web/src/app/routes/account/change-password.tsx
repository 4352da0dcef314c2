import type { ChangePasswordRequest } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { Form } from "#/components/ui/forms/form.tsx";
import { SettingsSection } from "#/components/ui/forms/settings-section.tsx";
import { ImpersonationNotice } from "#/entities/session/impersonation-notice.tsx";
import { currentPasswordSchema, newPasswordSchema } from "#/entities/session/schemas.ts";
import { userQuery, useUser } from "#/entities/session/user.ts";
import { Passkeys, passkeysQuery } from "#/features/auth/second-factor/passkeys.tsx";
import { SecondFactorSetup } from "#/features/auth/second-factor/second-factor-setup.tsx";
import { Sessions, sessionsQuery } from "#/features/auth/sessions.tsx";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";

/** Security settings: password, second factor, passkeys and sessions. */
export default function ChangePasswordPage() {
  const { user } = useUser();
  const client = useQueryClient();
  const change = useAction((body: ChangePasswordRequest) => feather.auth.changePassword(body), {
    success: () => t`The password is changed`,
    invalidates: [userQuery.queryKey, queries.auth.sessions.key()],
  });
  const refresh = () => client.invalidateQueries({ queryKey: userQuery.queryKey });
  if (!user) return null;
  if (user.impersonated_by)
    return (
      <>
        <h1 className="h2 mb-5">{t`Change password`}</h1>
        <ImpersonationNotice>{t`Their password, second factor and sessions are theirs alone.`}</ImpersonationNotice>
      </>
    );
  const present = user.has_password
    ? [
        {
          name: "current_password" as const,
          label: t`Present password`,
          type: "password",
          autoComplete: "current-password",
        },
      ]
    : [];
  return (
    <>
      <h1 className="h2 mb-5">{t`Change password`}</h1>
      <SettingsSection
        title={t`Password`}
        description={
          <>
            {user.has_password ? null : (
              <p className="mb-3">{t`You sign in with another account and have no password yet.`}</p>
            )}
            {t`All other sessions of your account end; this one stays. Programs you allowed have to ask you again. A message tells your address what has ended.`}
          </>
        }
      >
        <Form
          key={String(user.has_password)}
          schema={z.object({
            current_password: user.has_password ? currentPasswordSchema : z.string(),
            password: newPasswordSchema,
            end_keys: z.boolean(),
          })}
          initial={{ current_password: "", password: "", end_keys: true }}
          fields={[
            ...present,
            {
              name: "password",
              label: t`New password`,
              type: "password",
              autoComplete: "new-password",
              hint: t`10 characters or more.`,
            },
            {
              name: "end_keys",
              kind: "check",
              label: t`End API keys and deployment tokens I made in the last 30 days`,
              hint: t`Keep this if somebody else may have known your password.`,
            },
          ]}
          submitLabel={t`Change it`}
          block={false}
          afterSubmit="clear"
          submit={({ current_password, password, end_keys }) =>
            change.submit({ password, end_keys, ...(user.has_password && { current_password }) })
          }
        />
      </SettingsSection>
      <SecondFactorSetup user={user} onChanged={refresh} />
      <Passkeys user={user} />
      <Sessions />
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<unknown> =>
  Promise.all([client.prefetchQuery(passkeysQuery), client.prefetchQuery(sessionsQuery)]);
