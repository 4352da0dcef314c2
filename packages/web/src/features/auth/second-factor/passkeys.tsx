import type { Passkey, PasskeyCreationOptions, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { SettingsSection } from "#/components/ui/forms/settings-section.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { name } from "#/entities/session/schemas.ts";
import { userQuery } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { formatRelativeTime } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import { type Reauthentication, ReauthenticationDialog } from "../reauthentication-dialog.tsx";
import styles from "./passkeys.module.css";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { passkeyErrorMessage, requestNewPasskey, usePasskeySupport } from "./webauthn.ts";

/** The passkeys of the account. */
export const passkeysQuery = queryOptions({ ...queries.auth.passkeys.list.queryOptions() });

const AFFECTED_QUERY_KEYS = [passkeysQuery.queryKey, userQuery.queryKey, queries.auth.sessions.key()];

/** Settings of the account's passkeys: list, add, rename and remove. */
export function Passkeys({ user }: { user: User }) {
  const sendsMail = useMailDelivery();
  const { data, error, refetch } = useQuery(passkeysQuery);
  const support = usePasskeySupport();
  const [adding, setAdding] = useState(false);
  const [options, setOptions] = useState<PasskeyCreationOptions | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);

  const begin = useAction((proof: Reauthentication) => feather.auth.passkeys.beginRegistration(proof), {
    onSuccess: setOptions,
  });
  const rename = useAction(
    ({ id, newName }: { id: string; newName: string }) => feather.auth.passkeys.update(id, { name: newName }),
    { onSuccess: () => setRenaming(null), invalidates: AFFECTED_QUERY_KEYS },
  );
  const removal = useAction(
    ({ id, proof }: { id: string; proof: Reauthentication }) => feather.auth.passkeys.delete(id, proof),
    { invalidates: AFFECTED_QUERY_KEYS },
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
        <p className="muted">{t`You have no passkeys yet.`}</p>
      ) : (
        <PasskeyList items={data.items} rename={setRenaming} remove={setRemoving} />
      )}
      <ReauthenticationDialog
        user={user}
        open={adding}
        close={() => setAdding(false)}
        title={t`Add a passkey`}
        description={
          sendsMail
            ? t`All other sessions of your account end once it is added. Your address is told of it.`
            : t`All other sessions of your account end once it is added.`
        }
        submitLabel={t`Go on`}
        submit={begin.submit}
      />
      <NewPasskeyDialog
        options={options}
        close={() => setOptions(null)}
        onCreated={(recoveryCodes) => {
          setOptions(null);
          setCodes(recoveryCodes);
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
            submit={(values) => rename.submit({ id: renaming.id, newName: values.name.trim() })}
          />
        ) : null}
      </Dialog>
      <ReauthenticationDialog
        user={user}
        open={removing !== null}
        close={() => setRemoving(null)}
        title={t`Remove the passkey`}
        description={
          sendsMail
            ? t`${removing?.name ?? ""} no longer logs you in. All other sessions of your account end. Your address is told of it. Your device may still offer it until you delete it there.`
            : t`${removing?.name ?? ""} no longer logs you in. All other sessions of your account end. Your device may still offer it until you delete it there.`
        }
        submitLabel={t`Remove`}
        destructive
        submit={async (proof) => {
          if (removing) await removal.submit({ id: removing.id, proof });
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
        <li key={passkey.id} className="row wrapping between mb-3">
          <div className={styles.passkey}>
            <div className="user-text">{passkey.name}</div>
            <div className="small muted">{describePasskey(passkey)}</div>
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

/** Returns when a passkey was added and last used, whether it is synced, and whether it needs the password. */
function describePasskey({ created_at, last_used_at, synced, signs_in_alone }: Passkey): string {
  const added = formatRelativeTime(created_at);
  const used = last_used_at === null ? t`never used` : t`last used ${formatRelativeTime(last_used_at)}`;
  const facts = [t`added ${added}`, used, synced ? t`synced` : t`on one device`];
  // After a reset of the password, until the passkey was used as second factor.
  return [...facts, ...(signs_in_alone ? [] : [t`asks for the password at its next use`])].join(" · ");
}

type NewProps = {
  options: PasskeyCreationOptions | null;
  close(): void;
  onCreated(recoveryCodes: readonly string[]): void;
};

type NewPasskey = { passkeyName: string; options: PasskeyCreationOptions };

/** A dialog that asks for a name and creates a passkey in the browser. */
function NewPasskeyDialog({ options, close, onCreated }: NewProps) {
  const creation = useAction(
    async ({ passkeyName, ...given }: NewPasskey) =>
      feather.auth.passkeys.register({ name: passkeyName, credential: await requestNewPasskey(given.options) }),
    {
      showsError: true,
      onSuccess: ({ recovery_codes }) => onCreated(recovery_codes),
      invalidates: AFFECTED_QUERY_KEYS,
    },
  );
  const error = creation.error === null ? null : passkeyErrorMessage(creation.error);

  function cancel(): void {
    creation.clearError();
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
            submit={(values) => creation.run({ passkeyName: values.name.trim(), options })}
          />
        </>
      ) : null}
    </Dialog>
  );
}
