import type { AccountUpdate, PasswordConfirmation, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { z } from "zod";
import type { PageLocation } from "#/app/page-module.ts";
import { LanguageSelect } from "#/components/layouts/language-select.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { SettingsSection } from "#/components/ui/forms/settings-section.tsx";
import { paths } from "#/config/paths.ts";
import { deleteStoredChats } from "#/entities/session/chat-database.ts";
import { ImpersonationNotice } from "#/entities/session/impersonation-notice.tsx";
import { currentPasswordSchema, email, name, usernameSchema } from "#/entities/session/schemas.ts";
import { userQuery, useSession } from "#/entities/session/user.ts";
import { ConnectedAccounts } from "#/features/auth/connected-accounts.tsx";
import { DeletionEffect } from "#/features/auth/deletion-effect.tsx";
import { SharesSection } from "#/features/chat/sharing/shares-section.tsx";
import { AuthorizedApplications, authorizationsQuery } from "#/features/oauth/authorized-applications.tsx";
import { feather } from "#/lib/feather.ts";
import { LANGUAGES } from "#/lib/preferences/language.ts";
import { queries } from "#/lib/queries.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";

/** The profile: name, e-mail, connected accounts, data export and account deletion. */
export default function ProfilePage() {
  const { data: user } = useQuery(userQuery);
  const sendsMail = useMailDelivery();
  if (!user) return null;
  return (
    <>
      <h1 className="h2 mb-5">{t`Profile`}</h1>
      <SettingsSection
        title={t`Name`}
        description={t`How members of your organization and readers of your reviews see you.`}
      >
        <NameForm user={user} />
      </SettingsSection>
      <SettingsSection title={t`Language`} description={t`Of the site, and of the mails that you get.`}>
        <LanguageSelect languages={LANGUAGES} />
      </SettingsSection>
      <SettingsSection
        title={t`E-mail`}
        description={
          sendsMail
            ? t`Where messages go, and what you log in with. A new address holds once the link sent there is opened; the old one is told. Your sessions stay as they are.`
            : t`What you log in with. A new address holds once its link is opened, which you get from an admin: this server sends no mail. Your sessions stay as they are.`
        }
      >
        <EmailForm user={user} />
      </SettingsSection>
      {user.impersonated_by ? (
        <ImpersonationNotice>
          {t`Their connected accounts and programs, the copy of their data, and the end of the account are theirs alone.`}
        </ImpersonationNotice>
      ) : (
        <>
          <ConnectedAccounts user={user} />
          <AuthorizedApplications />
          <SharesSection />
          <AccountDataSection user={user} />
        </>
      )}
    </>
  );
}

function NameForm({ user }: { user: User }) {
  const save = useAction((values: { name: string; username: string }) => feather.account.update(values), {
    success: () => t`Saved`,
    onSuccess: (updated, _values, client) => client.setQueryData(userQuery.queryKey, updated),
  });
  return (
    <Form
      schema={z.object({ name, username: usernameSchema })}
      initial={{ name: user.name, username: user.username }}
      fields={[
        { name: "name", label: t`Name`, autoComplete: "name" },
        { name: "username", label: t`Username`, autoComplete: "nickname" },
      ]}
      submitLabel={t`Save`}
      block={false}
      afterSubmit="keep"
      submit={save.submit}
    />
  );
}

function EmailForm({ user }: { user: User }) {
  const sendsMail = useMailDelivery();
  const change = useAction((body: AccountUpdate) => feather.account.update(body), {
    success: () =>
      sendsMail
        ? t`A link is on its way to the new address`
        : t`The link is made. This server sends no mail: ask an admin for it`,
    onSuccess: (updated, _body, client) => client.setQueryData(userQuery.queryKey, updated),
  });
  return (
    <>
      {user.pending_email ? (
        <p className="notice mb-5 user-text">
          {sendsMail ? (
            <Trans>
              Waiting for <strong>{user.pending_email}</strong>: open the link that was sent there. Until then{" "}
              <strong>{user.email}</strong> holds.
            </Trans>
          ) : (
            <Trans>
              Waiting for <strong>{user.pending_email}</strong>: this server sends no mail, so ask an admin for the
              link. Until then <strong>{user.email}</strong> holds.
            </Trans>
          )}
        </p>
      ) : (
        <p className="mb-5 user-text">{user.email}</p>
      )}
      <Form
        schema={z.object({ email, current_password: user.has_password ? currentPasswordSchema : z.string() })}
        initial={{ email: "", current_password: "" }}
        fields={[
          { name: "email", label: t`New e-mail`, type: "email", autoComplete: "email", inputMode: "email" },
          ...(user.has_password
            ? [
                {
                  name: "current_password" as const,
                  label: t`Present password`,
                  type: "password",
                  autoComplete: "current-password",
                },
              ]
            : []),
        ]}
        submitLabel={t`Change e-mail`}
        block={false}
        secondary
        afterSubmit="clear"
        submit={({ email: address, current_password }) =>
          change.submit({ email: address, ...(user.has_password && { current_password }) })
        }
      />
    </>
  );
}

function AccountDataSection({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  const { clearSession } = useSession();
  const deletion = useAction((body: PasswordConfirmation) => feather.account.delete(body), {
    async onSuccess() {
      // The account is gone, whatever becomes of these.
      await Promise.allSettled([feather.auth.logout(), deleteStoredChats(user.id)]);
      clearSession();
      await navigate(paths.home, { replace: true });
    },
  });
  return (
    <SettingsSection
      title={t`Your data`}
      description={t`Take a copy of everything kept about you, or delete the account. What only you have goes with it: your keys, and organizations without other members.`}
    >
      <div className="row wrapping">
        <a className="btn" href="/api/account/export" download="account.json">
          {t`Export`}
        </a>
        <button type="button" className="btn danger" onClick={() => setOpen(true)}>
          {t`Delete the account`}
        </button>
      </div>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t`Delete the account`}
        description={t`Keys stop working at once, and everything that is only yours is gone. This cannot be undone.`}
      >
        {open ? (
          <div className="mt-4">
            <DeletionEffect />
            <Form
              schema={z.object({ password: z.string() })}
              initial={{ password: "" }}
              fields={
                user.has_password
                  ? [{ name: "password", label: t`Password`, type: "password", autoComplete: "current-password" }]
                  : []
              }
              submitLabel={t`Delete ${user.username} for ever`}
              destructive
              cancel={() => setOpen(false)}
              submit={({ password }) => deletion.submit(user.has_password ? { password } : {})}
            />
          </div>
        ) : null}
      </Dialog>
    </SettingsSection>
  );
}

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, _: PageLocation, user: User | null): Promise<void> {
  if (user?.impersonated_by) return;
  await Promise.all([
    client.prefetchQuery(queries.auth.providers.queryOptions()),
    client.prefetchQuery(authorizationsQuery),
    client.prefetchQuery(queries.chatShares.list.queryOptions()),
  ]);
}
