import { t } from "@lingui/core/macro";
import { type FormEvent, useState } from "react";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Field } from "#/components/ui/forms/field.tsx";
import { errorMessage } from "#/lib/error-message.ts";
import { useAction } from "#/lib/use-action.ts";

type Props = { name: string; open: boolean; close(): void; remove(): Promise<unknown>; onDeleted(): void };

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
  const removal = useAction(remove, { showsError: true, once: true, onSuccess: onDeleted });
  const matches = typedName.trim() === name;
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (matches) void removal.run();
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
        errors={removal.error ? [errorMessage(removal.error)] : []}
      />
      <div className="actions">
        <button type="button" className="btn" onClick={close}>
          {t`Keep it`}
        </button>
        <button
          type="submit"
          className="btn primary danger"
          disabled={!matches || removal.busy}
          aria-busy={removal.busy}
        >
          {removal.busy ? t`Deleting …` : t`Delete ${name}`}
        </button>
      </div>
    </form>
  );
}
