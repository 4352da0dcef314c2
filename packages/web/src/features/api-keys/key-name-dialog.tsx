import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type FormEvent, useState } from "react";
import { Dialog } from "#/components/ui/dialog.tsx";
import { Field } from "#/components/ui/field.tsx";
import { apiErrorMessage } from "#/lib/error-message.ts";

type Props = {
  open: boolean;
  title: string;
  submitLabel: string;
  initial?: string;
  close(): void;
  save(name: string): Promise<void>;
};

/** A dialog that asks for the name of a key. */
export function KeyNameDialog({ open, title, submitLabel, initial = "", close, save }: Props) {
  return (
    <Dialog open={open} onClose={close} title={title}>
      {open ? <NameForm submitLabel={submitLabel} initial={initial} close={close} save={save} /> : null}
    </Dialog>
  );
}

function NameForm({ submitLabel, initial, close, save }: Required<Omit<Props, "open" | "title">>) {
  const [name, setName] = useState(initial);
  const [touched, setTouched] = useState(false);
  const [errorMessage, setErrorMessage] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const isValid = name.trim().length >= 1 && name.trim().length <= 64;
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTouched(true);
    if (!isValid) return;
    setBusy(true);
    setErrorMessage(null);
    try {
      await save(name.trim());
    } catch (error) {
      setErrorMessage(isApiError(error) ? apiErrorMessage(error) : t`The server cannot be reached. Try again.`);
    } finally {
      setBusy(false);
    }
  }
  const errors = [...(touched && !isValid ? [t`Name is not valid.`] : []), ...(errorMessage ? [errorMessage] : [])];
  return (
    <form className="mt-4" onSubmit={submit} noValidate>
      <Field
        label={t`Name`}
        value={name}
        maxLength={64}
        autoFocus
        onChange={(event) => setName(event.target.value)}
        onBlur={() => setTouched(name !== initial)}
        errors={errors}
        hint={t`To tell it from others, such as laptop or production.`}
      />
      <div className="actions">
        <button type="button" className="btn" onClick={close}>
          {t`Cancel`}
        </button>
        <button type="submit" className="btn primary" disabled={busy}>
          {busy ? t`Working …` : submitLabel}
        </button>
      </div>
    </form>
  );
}
