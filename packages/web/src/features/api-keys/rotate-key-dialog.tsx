import type { ApiKey } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { SegmentedField } from "#/components/ui/controls/segmented-field.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { DAY_MS, HOUR_MS } from "#/lib/time.ts";
import styles from "./form/key-form.module.css";

const HOUR_S = HOUR_MS / 1000;
const DAY_S = DAY_MS / 1000;

type Props = {
  /** The key whose secret is replaced; null closes the dialog. */
  apiKey: ApiKey | null;
  close(): void;
  /** `graceSeconds` is how long the secret so far stays valid. */
  rotate(key: ApiKey, graceSeconds: number): Promise<unknown>;
};

/** A dialog that replaces the secret of a key, after asking how long the one so far stays valid. */
export function RotateKeyDialog({ apiKey, close, rotate }: Props) {
  const [lastKey, setLastKey] = useState(apiKey);
  if (apiKey !== null && apiKey !== lastKey) setLastKey(apiKey);
  return (
    <Dialog
      open={apiKey !== null}
      onClose={close}
      role="alertdialog"
      title={t`Replace the secret of “${lastKey?.name ?? ""}”`}
      description={t`The new secret is shown once. A secret that was replaced before ends at once.`}
    >
      {apiKey === null ? null : <RotateForm apiKey={apiKey} close={close} rotate={rotate} />}
    </Dialog>
  );
}

function RotateForm({ apiKey, close, rotate }: Props & { apiKey: ApiKey }) {
  const form = useForm({ defaultValues: { grace: String(DAY_S) } });
  const [failure, setFailure] = useState<unknown>(null);
  const { isSubmitting } = form.formState;
  async function submit({ grace }: { grace: string }): Promise<void> {
    setFailure(null);
    await rotate(apiKey, Number(grace)).catch(setFailure);
  }
  return (
    <form className={styles.form} onSubmit={form.handleSubmit(submit)}>
      <ErrorNotice error={failure} />
      <SegmentedField
        legend={t`The secret so far ends`}
        options={[
          { value: "0", label: t`at once` },
          { value: String(HOUR_S), label: t`in an hour` },
          { value: String(DAY_S), label: t`in a day` },
          { value: String(7 * DAY_S), label: t`in a week` },
        ]}
        registered={form.register("grace")}
        hint={t`Until then both are valid, so that programs can be given the new one.`}
      />
      <div className="actions">
        <button type="button" className="btn" onClick={close} disabled={isSubmitting}>
          {t`Cancel`}
        </button>
        <button type="submit" className="btn primary" disabled={isSubmitting} aria-busy={isSubmitting}>
          {isSubmitting ? t`Working …` : t`Replace it`}
        </button>
      </div>
    </form>
  );
}
