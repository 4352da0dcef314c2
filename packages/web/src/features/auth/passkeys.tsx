import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialog.tsx";
import { LoadError } from "#/components/ui/error-notice.tsx";
import { Form } from "#/components/ui/form.tsx";
import { Skeleton } from "#/components/ui/primitives.tsx";
import { SettingsSection } from "#/components/ui/settings-section.tsx";
import { name } from "#/entities/session/schemas.ts";
import { type User, userQuery } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { formatRelativeTime } from "#/lib/format.ts";
import { ReauthenticationDialog } from "./reauthentication-dialog.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { passkeyErrorMessage, requestNewPasskey, usePasskeySupport } from "./webauthn.ts";

type Passkey = Schemas["Passkey"];

const passkeysQuery = queryOptions({ queryKey: ["passkeys"], queryFn: async () => feather.auth.passkeys.list() });

/** Settings of the account's passkeys: list, add, rename and remove. */
export function Passkeys({ user }: { user: User }) {
  const { data, error, refetch } = useQuery(passkeysQuery);
  const client = useQueryClient();
  const support = usePasskeySupport();
  const [adding, setAdding] = useState(false);
  const [options, setOptions] = useState<Schemas["PasskeyCreationOptions"] | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);

  const invalidate = () =>
    Promise.all(
      [passkeysQuery.queryKey, userQuery.queryKey, ["sessions"]].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );

  return (
    <SettingsSection
      title={t`Passkeys`}
      description={
        <>
          {t`A passkey logs you in without a password: you unlock it on your device by fingerprint, face or PIN. With one, logging in with your password also asks for a second factor.`}
          {support === "address" ? (
            <p className="mt-3">{t`Passkeys do not work at this address: browsers allow them only at the https address of a site, and at localhost.`}</p>
          ) : null}
          {support === "browser" ? <p className="mt-3">{t`This browser knows no passkeys.`}</p> : null}
        </>
      }
      action={
        support === "yes" ? (
          <button type="button" className="btn" onClick={() => setAdding(true)}>
            {t`Add a passkey`}
          </button>
        ) : null
      }
    >
      {error && data === undefined ? (
        <LoadError subject={t`Passkeys`} error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={40} />
      ) : data.items.length === 0 ? (
        <p className="mid">{t`You have no passkeys yet.`}</p>
      ) : (
        <PasskeyList items={data.items} rename={setRenaming} remove={setRemoving} />
      )}
      <ReauthenticationDialog
        user={user}
        open={adding}
        close={() => setAdding(false)}
        title={t`Add a passkey`}
        description={t`All other sessions of your account end once it is added. Your address is told of it.`}
        submitLabel={t`Go on`}
        submit={async (proof) => {
          setOptions(await feather.auth.passkeys.beginRegistration(proof));
        }}
      />
      <NewPasskeyDialog
        options={options}
        close={() => setOptions(null)}
        onCreated={async (recoveryCodes) => {
          setOptions(null);
          setCodes(recoveryCodes);
          await invalidate();
        }}
      />
      <RecoveryCodes codes={codes} close={() => setCodes([])} />
      <Dialog open={renaming !== null} onClose={() => setRenaming(null)} title={t`Rename the passkey`}>
        {renaming ? (
          <Form
            schema={z.object({ name })}
            initial={{ name: renaming.name }}
            fields={[{ name: "name", label: t`Name`, autoFocus: true }]}
            submitLabel={t`Rename`}
            cancel={() => setRenaming(null)}
            submit={async (values) => {
              await feather.auth.passkeys.update(renaming.id, { name: values.name.trim() });
              setRenaming(null);
              await invalidate();
            }}
          />
        ) : null}
      </Dialog>
      <ReauthenticationDialog
        user={user}
        open={removing !== null}
        close={() => setRemoving(null)}
        title={t`Remove the passkey`}
        description={t`${removing?.name ?? ""} no longer logs you in. All other sessions of your account end. Your address is told of it. Your device may still offer it until you delete it there.`}
        submitLabel={t`Remove`}
        destructive
        submit={async (proof) => {
          if (removing) await feather.auth.passkeys.delete(removing.id, proof);
          await invalidate();
        }}
      />
    </SettingsSection>
  );
}

type ListProps = { items: readonly Passkey[]; rename(passkey: Passkey): void; remove(passkey: Passkey): void };

function PasskeyList({ items, rename, remove }: ListProps) {
  return (
    <ul aria-label={t`Passkeys`}>
      {items.map((passkey) => (
        <li key={passkey.id} className="row wraps between mb-3">
          <div style={{ minWidth: 0 }}>
            <div className="stranger">{passkey.name}</div>
            <div className="small mid">{describePasskey(passkey)}</div>
          </div>
          <div className="row">
            <button
              type="button"
              className="btn ghost"
              aria-label={t`Rename ${passkey.name}`}
              onClick={() => rename(passkey)}
            >
              {t`Rename`}
            </button>
            <button
              type="button"
              className="btn ghost"
              aria-label={t`Remove ${passkey.name}`}
              onClick={() => remove(passkey)}
            >
              {t`Remove`}
            </button>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Returns when a passkey was added and last used, and whether it is synced. */
function describePasskey({ created_at, last_used_at, synced }: Passkey): string {
  const added = formatRelativeTime(created_at);
  const used = last_used_at === null ? t`never used` : t`last used ${formatRelativeTime(last_used_at)}`;
  return [t`added ${added}`, used, synced ? t`synced` : t`on one device`].join(" · ");
}

type NewProps = {
  options: Schemas["PasskeyCreationOptions"] | null;
  close(): void;
  onCreated(recoveryCodes: readonly string[]): Promise<void>;
};

/** A dialog that asks for a name and creates a passkey in the browser. */
function NewPasskeyDialog({ options, close, onCreated }: NewProps) {
  const [error, setError] = useState<string | null>(null);

  async function createPasskey(passkeyName: string, creationOptions: Schemas["PasskeyCreationOptions"]): Promise<void> {
    setError(null);
    try {
      const credential = await requestNewPasskey(creationOptions);
      const { recovery_codes } = await feather.auth.passkeys.register({ name: passkeyName.trim(), credential });
      await onCreated(recovery_codes);
    } catch (reason) {
      setError(passkeyErrorMessage(reason));
    }
  }

  function cancel(): void {
    setError(null);
    close();
  }

  return (
    <Dialog
      open={options !== null}
      onClose={cancel}
      title={t`Name the passkey`}
      description={t`So that you can tell it from others. Your browser then asks where to keep it.`}
    >
      {options ? (
        <>
          {error ? (
            <p className="notice mb-4" role="alert">
              {error}
            </p>
          ) : null}
          <Form
            schema={z.object({ name })}
            initial={{ name: "" }}
            fields={[{ name: "name", label: t`Name`, autoFocus: true, hint: t`Such as the device that keeps it.` }]}
            submitLabel={t`Make the passkey`}
            cancel={cancel}
            submit={(values) => createPasskey(values.name, options)}
          />
        </>
      ) : null}
    </Dialog>
  );
}
