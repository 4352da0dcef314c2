import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialog.tsx";
import { Form } from "#/components/ui/form.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { paths } from "#/config/paths.ts";
import { ConnectedAccounts } from "#/features/auth/connected-accounts.tsx";
import { email, name, username } from "#/features/auth/rules.ts";
import { type User, userQuery, useSession } from "#/features/auth/user.ts";
import { AllowedPrograms } from "#/features/oauth/allowed-programs.tsx";
import { feather } from "#/lib/feather.ts";

export default function ProfilePage() {
  const { data: user } = useQuery(userQuery);
  if (!user) return null;
  return (
    <>
      <h1 className="h2">{t`Profile`}</h1>
      <div className="mt-4" style={{ maxWidth: 420 }}>
        <Names user={user} />
        <h2 className="h3 mt-8">{t`E-mail`}</h2>
        <Address user={user} />
      </div>
      <ConnectedAccounts user={user} />
      <AllowedPrograms />
      <Ending user={user} />
    </>
  );
}

function Names({ user }: { user: User }) {
  const client = useQueryClient();
  const toast = useToast();
  return (
    <Form
      schema={z.object({ name, username })}
      initial={{ name: user.name, username: user.username }}
      fields={[
        { name: "name", label: t`Name`, autoComplete: "name" },
        { name: "username", label: t`Username`, autoComplete: "nickname", hint: t`Shown beside your reviews.` },
      ]}
      submitLabel={t`Save`}
      block={false}
      submit={async (values) => {
        client.setQueryData(userQuery.queryKey, await feather.account.update(values));
        toast({ title: t`Saved`, variant: "success" });
      }}
    />
  );
}

function Address({ user }: { user: User }) {
  const client = useQueryClient();
  const toast = useToast();
  return (
    <>
      {user.pending_email ? (
        <p className="notice mt-2 mb-5">
          <Trans>
            Waiting for <strong>{user.pending_email}</strong>: open the link that was sent there. Until then{" "}
            <strong>{user.email}</strong> holds.
          </Trans>
        </p>
      ) : (
        <p className="mid mt-2 mb-5">{user.email}</p>
      )}
      <Form
        schema={z.object({ email, current_password: z.string() })}
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
        quiet
        submit={async ({ email: address, current_password }) => {
          const change = { email: address, ...(user.has_password && { current_password }) };
          client.setQueryData(userQuery.queryKey, await feather.account.update(change));
          toast({ title: t`A link is on its way to the new address`, variant: "success" });
        }}
      />
    </>
  );
}

function Ending({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  const { logOut } = useSession();
  return (
    <section className="mt-8">
      <h2 className="h3">{t`Your data`}</h2>
      <p className="mid mt-2">{t`Take a copy of everything kept about you, or delete the account.`}</p>
      <div className="row wraps mt-4">
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
          <Form
            schema={z.object({ password: z.string() })}
            initial={{ password: "" }}
            fields={
              user.has_password
                ? [{ name: "password", label: t`Password`, type: "password", autoComplete: "current-password" }]
                : []
            }
            submitLabel={t`Delete ${user.username} for ever`}
            submit={async ({ password }) => {
              await feather.account.delete(user.has_password ? { password } : {});
              await logOut();
              navigate(paths.home, { replace: true });
            }}
          />
        ) : null}
      </Dialog>
    </section>
  );
}
