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
      <h1 className="h2">Profile</h1>
      <div className="mt-4" style={{ maxWidth: 420 }}>
        <Names user={user} />
        <h2 className="h3 mt-8">E-mail</h2>
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
        { name: "name", label: "Name", autoComplete: "name" },
        { name: "username", label: "Username", autoComplete: "nickname", hint: "Shown beside your reviews." },
      ]}
      submitLabel="Save"
      block={false}
      submit={async (values) => {
        client.setQueryData(userQuery.queryKey, await feather.account.update(values));
        toast({ title: "Saved", variant: "success" });
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
          Waiting for <strong>{user.pending_email}</strong>: open the link that was sent there. Until then{" "}
          <strong>{user.email}</strong> holds.
        </p>
      ) : (
        <p className="mid mt-2 mb-5">{user.email}</p>
      )}
      <Form
        schema={z.object({ email, current_password: z.string() })}
        initial={{ email: "", current_password: "" }}
        fields={[
          { name: "email", label: "New e-mail", type: "email", autoComplete: "email", inputMode: "email" },
          ...(user.has_password
            ? [
                {
                  name: "current_password" as const,
                  label: "Present password",
                  type: "password",
                  autoComplete: "current-password",
                },
              ]
            : []),
        ]}
        submitLabel="Change e-mail"
        block={false}
        submit={async ({ email: address, current_password }) => {
          const change = { email: address, ...(user.has_password && { current_password }) };
          client.setQueryData(userQuery.queryKey, await feather.account.update(change));
          toast({ title: "A link is on its way to the new address", variant: "success" });
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
      <h2 className="h3">Your data</h2>
      <p className="mid mt-2">Take a copy of everything kept about you, or delete the account.</p>
      <div className="row wraps mt-4">
        <a className="btn" href="/api/account/export" download="account.json">
          Export
        </a>
        <button type="button" className="btn danger" onClick={() => setOpen(true)}>
          Delete the account
        </button>
      </div>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Delete the account"
        description="Keys stop working at once, and everything that is only yours is gone. This cannot be undone."
      >
        {open ? (
          <Form
            schema={z.object({ password: z.string() })}
            initial={{ password: "" }}
            fields={
              user.has_password
                ? [{ name: "password", label: "Password", type: "password", autoComplete: "current-password" }]
                : []
            }
            submitLabel={`Delete ${user.username} for ever`}
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
