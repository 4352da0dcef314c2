import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type FormEvent, useState } from "react";
import { Dialog } from "#/components/ui/dialog.tsx";
import { Field } from "#/components/ui/field.tsx";
import { DEFAULT_KEY_SCOPES, KEY_SCOPES, type KeyScope } from "./scopes.ts";

type NewKey = { name: string; scopes: KeyScope[] };
type Props = { open: boolean; close(): void; create(key: NewKey): Promise<void> };

/** A dialog that asks for the name and scopes of a new key. */
export function NewKeyDialog({ open, close, create }: Props) {
  return (
    <Dialog open={open} onClose={close} title={t`New key`}>
      {open ? <NewKeyForm close={close} create={create} /> : null}
    </Dialog>
  );
}

function NewKeyForm({ close, create }: Omit<Props, "open">) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly KeyScope[]>(DEFAULT_KEY_SCOPES);
  const [touched, setTouched] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const hasName = name.trim().length >= 1 && name.trim().length <= 64;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTouched(true);
    if (!hasName || scopes.length === 0) return;
    setBusy(true);
    setError(null);
    try {
      await create({ name: name.trim(), scopes: [...scopes] });
    } catch (failure) {
      setError(isApiError(failure) ? failure.message : t`The server cannot be reached. Try again.`);
    } finally {
      setBusy(false);
    }
  }

  const nameErrors = [...(touched && !hasName ? [t`Name is not valid.`] : []), ...(error ? [error] : [])];
  return (
    <form className="mt-4" onSubmit={submit} noValidate>
      <Field
        label={t`Name`}
        value={name}
        maxLength={64}
        autoFocus
        onChange={(event) => setName(event.target.value)}
        onBlur={() => setTouched(name !== "")}
        errors={nameErrors}
        hint={t`To tell it from others, such as laptop or production.`}
      />
      <ScopeFields selected={scopes} onSelect={setScopes} />
      <div className="actions">
        <button type="button" className="btn" onClick={close}>
          {t`Cancel`}
        </button>
        <button type="submit" className="btn primary" disabled={busy}>
          {busy ? t`Working …` : t`Make the key`}
        </button>
      </div>
    </form>
  );
}

type ChoiceProps = { selected: readonly KeyScope[]; onSelect(scopes: readonly KeyScope[]): void };

function ScopeFields({ selected, onSelect }: ChoiceProps) {
  return (
    <fieldset className="field choices-list">
      <legend className="name">{t`It may`}</legend>
      {KEY_SCOPES.map(({ id, label, hint }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={selected.includes(id)}
            onChange={(event) =>
              onSelect(event.target.checked ? [...selected, id] : selected.filter((scope) => scope !== id))
            }
          />
          <span>
            <strong>{label}</strong> <span className="mid small hint-line">{hint}</span>
          </span>
        </label>
      ))}
      {selected.length === 0 ? <p className="err">{t`Choose at least one.`}</p> : null}
    </fieldset>
  );
}
