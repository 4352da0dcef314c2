import { t } from "@lingui/core/macro";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { useIsRetrying } from "#/lib/use-is-retrying.ts";
import styles from "./confirm.module.css";
import { Dialog } from "./dialog.tsx";

/** The texts of a confirmation dialog and the action to confirm. */
export type Confirmation = {
  title?: string;
  description?: ReactNode;
  cancelButtonText?: string;
  confirmButtonText?: string;
  destructive?: boolean;
  /** Runs on confirmation; the dialog shows progress and closes afterwards, also after an error. */
  action(): Promise<void> | void;
  /** A second action to confirm, with its own button. */
  alternative?: { buttonText: string; action(): Promise<void> | void };
};

const Context = createContext<(confirmation: Confirmation) => void>(() => {});

/** Asks before doing something: `confirm({ title: "Delete key", destructive: true, action })`. */
export const useConfirm = (): ((confirmation: Confirmation) => void) => useContext(Context);

/** Provides `useConfirm` and renders the confirmation dialog. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const [processing, setProcessing] = useState(false);
  const isRetrying = useIsRetrying(processing);
  const close = useCallback(() => setConfirmation(null), []);

  async function run(action: Confirmation["action"] | undefined): Promise<void> {
    if (processing || action === undefined) return;
    setProcessing(true);
    try {
      await action();
    } catch (error) {
      console.error(error);
    } finally {
      setProcessing(false);
      // Keep a confirmation that was opened in the meantime.
      setConfirmation((current) => (current === confirmation ? null : current));
    }
  }

  return (
    <Context value={setConfirmation}>
      {children}
      <Dialog
        open={confirmation !== null}
        onClose={() => !processing && close()}
        title={confirmation?.title ?? t`Confirmation`}
        description={confirmation?.description}
        role="alertdialog"
      >
        <div className="actions">
          <button type="button" className="btn" onClick={close} disabled={processing}>
            {confirmation?.cancelButtonText ?? t`Cancel`}
          </button>
          {confirmation?.alternative ? (
            <button
              type="button"
              className="btn"
              onClick={() => run(confirmation.alternative?.action)}
              disabled={processing}
            >
              {confirmation.alternative.buttonText}
            </button>
          ) : null}
          <button
            type="button"
            className={`btn primary${confirmation?.destructive ? " danger" : ""}`}
            onClick={() => run(confirmation?.action)}
            disabled={processing}
            aria-busy={processing}
          >
            {processing ? <span className={styles.spinner} aria-hidden="true" /> : null}
            {confirmation?.confirmButtonText ?? t`Confirm`}
          </button>
        </div>
        <p className={isRetrying ? "small muted mt-3" : "visually-hidden"} role="status">
          {isRetrying ? t`The server has failed to do it. It is asked again …` : processing ? t`Working` : ""}
        </p>
      </Dialog>
    </Context>
  );
}
