import { t } from "@lingui/core/macro";
import { type FormEvent, useState } from "react";
import { Dialog } from "#/components/ui/dialog.tsx";
import { Field } from "#/components/ui/field.tsx";
import { errorMessage } from "#/lib/error-message.ts";

type Props = { name: string; open: boolean; close(): void; remove(): Promise<void>; onDeleted(): void };

/** Asks for the name of a deployment before it is deleted. */
export function DeleteDialog({ name, open, close, remove, onDeleted }: Props) {
  return (
    <Dialog
      open={open}
      onClose={close}
      role="alertdialog"
      title={t`Delete ${name}`}
      description={t`Its address and its token end at once, and programs that call it fail. This cannot be undone.`}
    >
      {open ? <DeleteForm name={name} close={close} remove={remove} onDeleted={onDeleted} /> : null}
    </Dialog>
  );
}

function DeleteForm({ name, close, remove, onDeleted }: Omit<Props, "open">) {
  const [typedName, setTyped] = useState("");
  const [errorText, setErrorText] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const matches = typedName.trim() === name;
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!matches || busy) return;
    setBusy(true);
    setErrorText(null);
    try {
      await remove();
      onDeleted();
    } catch (error) {
      setErrorText(errorMessage(error));
      setBusy(false);
    }
  }
  return (
    <form className="mt-4" onSubmit={submit} noValidate>
      <Field
        label={t`Type ${name} to delete it`}
        value={typedName}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        errors={errorText ? [errorText] : []}
      />
      <div className="actions">
        <button type="button" className="btn" onClick={close}>
          {t`Keep it`}
        </button>
        <button type="submit" className="btn primary danger" disabled={!matches || busy} aria-busy={busy}>
          {busy ? t`Deleting …` : t`Delete ${name}`}
        </button>
      </div>
    </form>
  );
}
